/*
 * Makes the packed projects in `fixtures/` with a built checkout of their commit; at a terminal, because only people approve:
 *
 *   git worktree add /tmp/old f93f8f1 && (cd /tmp/old && npm ci && npm run build)
 *   node test/upgrade/make-fixtures.ts f93f8f1 /tmp/old
 */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OldPlace, releases, type Scenario } from './old-project.ts';
import { packFolder } from './packed-folder.ts';

const [, , named, checkout = ''] = process.argv;
const release = releases.find((one) => one === named);
if (release === undefined) throw new Error(`which release? ${releases.join(', ')}`);
// The first release trusted everything.
const trust = release === 'a95b277' ? [] : ['--trust'];
const program = join(checkout, 'bin/tutti.js');

function run(place: OldPlace, ...args: readonly string[]): void {
  const { project: cwd } = place;
  try {
    execFileSync(process.execPath, [program, ...args, ...trust], { cwd, env: place.env(), stdio: 'inherit' });
  } catch (error) {
    // A run that waits for a person ends with 3.
    if (!(error instanceof Error && 'status' in error && error.status === 3)) throw error;
  }
}

/** Kills the program and every agent once the ledger has this line. */
async function killAt(place: OldPlace, line: string, ...args: readonly string[]): Promise<void> {
  const { project: cwd } = place;
  const child = spawn(process.execPath, [program, ...args, ...trust], {
    cwd,
    env: place.env(),
    stdio: 'ignore',
  });
  while (!place.ledger().includes(line)) await pause(20);
  child.kill('SIGKILL');
  await pause(500);
  for (const session of readdirSync(join(cwd, '.tutti/sessions'))) {
    const folder = join(cwd, '.tutti/sessions', session);
    if (readdirSync(folder).includes('exit')) continue;
    const [, pid] = /^started (\d+)/.exec(readFileSync(join(folder, 'started'), 'utf8')) ?? [];
    process.kill(-Number(pid), 'SIGKILL');
  }
}

const stories: Readonly<Record<Scenario, (place: OldPlace) => Promise<void> | void>> = {
  async 'half-planned'(place) {
    const mood = [
      ['logical', 'spoil'],
      ['ms', '1500'],
    ];
    writeFileSync(join(place.project, 'mood.json'), JSON.stringify(mood));
    await killAt(place, 'definition begin', 'plan', 'numerals.md', '--new', '--stack', 'plain JavaScript');
    writeFileSync(join(place.project, 'mood.json'), '[]');
  },
  async 'half-executed'(place) {
    run(place, 'plan', 'numerals.md', '--new', '--stack', 'plain JavaScript', '--yes');
    await killAt(place, 'T003 begin', 'execute', '--parallel', '1');
  },
  asked(place) {
    run(place, 'plan', 'numerals.md', '--new', '--stack', 'plain JavaScript');
    run(place, 'run', 'asking.yaml', '--run-id', 'asking');
  },
};

for (const [scenario, story] of Object.entries(stories) as [Scenario, (typeof stories)[Scenario]][]) {
  await using place = await OldPlace.take(release, scenario);
  place.write();
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: place.project, env: place.env() });
  git('init', '-q', '--template=', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'Specification');
  await story(place);
  // The log of changes is many times as large as what it says.
  using database = new DatabaseSync(join(place.project, '.tutti/tutti.db'));
  // The holder is dead, which another machine cannot see: there its lease would have to lapse.
  database.exec('update runs set holder = null; delete from holders; pragma wal_checkpoint(truncate)');
  const packed = packFolder(place.home);
  writeFileSync(fileURLToPath(new URL(`fixtures/${release}/${scenario}.br`, import.meta.url)), packed);
  process.stdout.write(`${scenario}: ${packed.length} bytes, ${place.turns().join(' ')}\n`);
}
