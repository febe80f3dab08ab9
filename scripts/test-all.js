// Everything that is too long for `npm test`: `npm run test:all`. With `-- --budget MINUTES` a sample that fits, chosen by
// the commit; `--seed N` repeats the choice of another one. Further words choose suites by name.
import { execFileSync, spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { chooseSuites, countsIn, longSuites, seedOf, verdictOf } from './long-suites.js';

/** @typedef {import('./long-suites.js').ChosenSuite} ChosenSuite */

const { values, positionals } = parseArgs({
  options: { budget: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const budgetMinutes = values.budget === undefined ? null : Number(values.budget);
const commit = () => execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
const seed = values.seed === undefined ? seedOf(commit()) : Number(values.seed);
if (Number.isNaN(budgetMinutes) || !Number.isSafeInteger(seed)) {
  process.stderr.write('usage: npm run test:all -- [--budget MINUTES] [--seed NUMBER] [SUITE…]\n');
  process.exit(64);
}

const suites = longSuites.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
if (suites.length === 0) {
  process.stderr.write(
    `test:all: no suite is called so; there are: ${longSuites.map(({ name }) => name).join('; ')}\n`,
  );
  process.exit(64);
}
const { chosen, leftOut } = chooseSuites(suites, { seed, budgetMinutes });
const flags = budgetMinutes === null ? '' : ` --budget ${budgetMinutes}`;
say(`seed ${seed}; the same choice again: npm run test:all --${flags} --seed ${seed}`);
for (const name of leftOut) say(`left out by the budget: ${name}`);

const startedAt = performance.now();
const count = { passed: 0, failed: 0, unfinished: 0 };
const summary = [];
for (const suite of chosen) {
  say(`${suite.name}: about ${suite.minutes} min: ${commandLine(suite)}`);
  const suiteStartedAt = performance.now();
  const { output, ...end } = await run(suite, limitOf(suite));
  const verdict = verdictOf(end);
  const counts = countsIn(output) ?? { passed: 0, failed: verdict === 'failed' ? 1 : 0, skipped: 0 };
  const minutes = ((performance.now() - suiteStartedAt) / 60_000).toFixed(1);
  const told = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
  count[verdict] += 1;
  summary.push(`${suite.name}: ${verdict}: ${told} in ${minutes} min`);
  if (verdict === 'failed') summary.push(`  again: ${commandLine(suite)}`);
}
for (const line of summary) say(line);
say(
  `suites: ${count.passed} passed, ${count.failed} failed, ${leftOut.length + count.unfinished} skipped by the budget`,
);
process.exitCode = count.failed > 0 ? 1 : 0;

/**
 * What is left of the budget, and in any case the estimate. A suite that is always run is cut off only if it hangs: a busy
 * machine takes twice as long.
 * @param {ChosenSuite} suite
 */
function limitOf({ minutes, always }) {
  if (budgetMinutes === null) return null;
  const left = budgetMinutes * 60_000 - (performance.now() - startedAt);
  return Math.max(left, minutes * 60_000 * (always ? 2.5 : 1));
}

/**
 * Shows what the suite prints while it prints it, and keeps it for the closing line.
 * @param {ChosenSuite} suite
 * @param {number | null} limitMs
 * @returns {Promise<{status: number | null, cutOff: boolean, output: string}>}
 */
function run({ argv: [program = '', ...args], env }, limitMs) {
  const child = spawn(
    'env',
    [...Object.entries(env).map(([name, value]) => `${name}=${value}`), program, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  );
  let output = '';
  let cutOff = false;
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const limit =
    limitMs === null
      ? null
      : setTimeout(() => {
          cutOff = true;
          process.kill(-(child.pid ?? 0), 'SIGKILL');
        }, limitMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (limit !== null) clearTimeout(limit);
      resolve({ status, cutOff, output });
    });
  });
}

/** @param {ChosenSuite} suite */
function commandLine({ argv, env }) {
  return [...Object.entries(env).map(([name, value]) => `${name}=${value}`), 'npx', ...argv].join(' ');
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`test:all: ${line}\n`);
}
