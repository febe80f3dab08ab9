// The real CLIs against stand-ins for their models: `npm run test:real`, with `-- --all` for the whole matrix. Further
// words choose test files. Ends with 1 when a cell or a test failed, and with 3 when all is well but a CLI could not be installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const all = process.argv.includes('--all');
const words = process.argv.slice(2).filter((word) => word !== '--all');
const folder = mkdtempSync(join(tmpdir(), 'tutti-real-'));
const file = join(folder, 'report.jsonl');
const args = ['run', '--config', 'test/real/vitest.config.ts', ...(all ? [] : ['-t', String.raw`\(smoke\)`])];
const { status } = spawnSync('env', [`TUTTI_REAL_REPORT=${file}`, 'vitest', ...args, ...words], {
  stdio: 'inherit',
});

/** @typedef {{cli: string, case: string | null, version: string, verdict: string, why: string, ms: number}} Line */

/** @returns {readonly Line[]} */
function readLines() {
  try {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  } catch {
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const told = readLines();
const cells = told.filter((line) => line.case !== null);
const names = [...new Set(cells.map(({ cli, version }) => `${cli} ${version}`))];
const verdictOf = (/** @type {string} */ name, /** @type {string | null} */ inCase) => {
  const cell = cells.find((one) => `${one.cli} ${one.version}` === name && one.case === inCase);
  if (cell === undefined) return '-';
  return cell.verdict === 'ok' ? `ok ${(cell.ms / 1000).toFixed(1)} s` : cell.verdict;
};
const first = Math.max(25, ...cells.map((cell) => String(cell.case).length + 2));
const row = (/** @type {readonly string[]} */ texts) =>
  process.stdout.write(
    `${texts
      .map((text, at) => text.padEnd(at === 0 ? first : 25))
      .join('')
      .trimEnd()}\n`,
  );
if (cells.length > 0) row(['', ...names]);
for (const inCase of new Set(cells.map((cell) => cell.case))) {
  row([String(inCase), ...names.map((name) => verdictOf(name, inCase))]);
}
for (const cell of cells.filter(({ verdict }) => verdict === 'failed')) {
  process.stdout.write(`${cell.cli} ${cell.case}: failed: ${cell.why.split('\n', 1)[0]}\n`);
}
const without = told.filter(({ verdict }) => verdict === 'not installed');
for (const line of new Set(
  without.map(({ cli, why }) => `${cli}: not installed: ${why.split('\n', 1)[0]}\n`),
)) {
  process.stdout.write(line);
}
const count = (/** @type {string} */ verdict) => cells.filter((cell) => cell.verdict === verdict).length;
const [ok, failed, absent] = [count('ok'), count('failed'), without.length];
process.stdout.write(
  `real CLIs: ${ok} cells ok, ${failed} failed; ${absent} cells and tests not run for want of an installation\n`,
);
// A run of everything in which nothing was tried has proven nothing.
const bad = status !== 0 || failed > 0 || (cells.length === 0 && words.length === 0);
process.exitCode = bad ? 1 : absent > 0 ? 3 : 0;
