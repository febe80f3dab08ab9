import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsOf } from '../../src/app/project.ts';
import { openDatabase } from '../../src/store/database.ts';
import { cli } from '../cli/rig.ts';
import { ledger, processesOf, statusOf, until } from '../e2e/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { startTutti, tutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const limit = { timeout: hangLimitMs };

/** A project whose agent ignores SIGTERM and works until there is no file `slow`. */
function writeResisting(path: string): void {
  writeProject(path, {
    'agent.sh': `trap '' TERM
echo begin >> ledger
while [ -e slow ]; do sleep 0.05; done
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`,
    slow: '',
    'flow.yaml': { steps: [{ id: 'a', agent: 'coder', prompt: 'work' }] },
    'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
  });
}

function isStopped(path: string): boolean {
  using db = openDatabase(pathsOf(path).database, () => null);
  return db.get('select cancelled from runs')?.['cancelled'] === 1;
}

test(
  'a third Ctrl-C kills agents that ignore SIGTERM, and the command records the end of the run',
  limit,
  async () => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    writeResisting(path);
    const pressed = new Set<string>();
    const end = await cli(
      {
        folder: path,
        onOutput: (all, control) => {
          for (const word of ['started (session', 'halting:', 'stopping:']) {
            if (!all.includes(word) || pressed.has(word)) continue;
            pressed.add(word);
            // The agent must have told the shell that it ignores the signal.
            void until('the agent works', () => ledger(path).includes('begin')).then(() =>
              control.signal('SIGINT'),
            );
          }
        },
      },
      'run',
      'flow.yaml',
      '--run-id',
      'r',
    );
    expect(end.out).toContain('killing: every process of the run is killed (Ctrl-C again leaves at once)');
    expect(end).toMatchObject({ code: 20, err: '' });
    expect(end.out).toContain('run r was stopped');
    expect(processesOf(path)).toEqual([]);
    expect((await cli({ folder: path }, 'status', 'r')).out).toContain('INTERRUPTED');
  },
);

test(
  'a stop whose process was killed is shown with what is alive, and resume finishes it first',
  limit,
  async () => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    writeResisting(path);
    const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
    let shown = '';
    run.child.stdout?.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
    });
    await until('the agent works', () => ledger(path).includes('begin'));
    for (const word of ['halting:', 'stopping:']) {
      run.child.kill('SIGINT');
      await until(word, () => shown.includes(word));
    }
    await until('the stop is recorded', () => isStopped(path));
    run.child.kill('SIGKILL');
    await run.ended;
    const status = await tutti(path, 'status', 'r');
    expect(status.stdout).toContain('it is being stopped');
    expect(status.stdout).toContain('→ finish stopping it: tutti stop r');
    expect(status.stderr).not.toContain('resume');
    expect((await statusOf(path, 'r')).steps).toMatchObject([{ state: 'running', outcome: null }]);
    const other = await tutti(path, 'inbox');
    expect(other.stderr).toBe(
      'run r was being stopped, and no process finishes that; finish stopping it: tutti stop r\n',
    );
    rmSync(join(path, 'slow'));
    writeFileSync(
      join(path, 'agent.sh'),
      'echo again >> ledger; echo \'{"status":"success","summary":"done"}\' > "$TUTTI_RESULT"\n',
    );
    const resumed = await tutti(path, 'resume', 'r');
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stdout).toMatch(
      /^run r was still being stopped: the stop is finished now\nrun r continues; finished steps are kept\n/,
    );
    expect(ledger(path)).toEqual(['begin', 'again']);
  },
);
