import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identify, isAlive, type ProcessIdentity } from '../../src/lib/process/identity.ts';
import { openSessionGroup, noLimits, removeSessionGroup } from '../../src/runtime/limits/group.ts';
import { write } from '../cli/project.ts';
import { cli } from '../cli/rig.ts';
import { until } from '../rig/attempt-rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';

using trial = tempFolder();
const offered = openSessionGroup(trial.path, 'trial', noLimits).dirs.length > 0;
removeSessionGroup(trial.path, 'trial');

/** Leaves its session, its parents and its environment: only its control group leads to it. */
const escape = (name: string): string =>
  `env -i /usr/bin/setsid -f /bin/sh -c 'echo $$ > ${name}.pid; exec /bin/sleep 1000'`;

test.runIf(offered)(
  'a second Ctrl-C ends what escaped from commands, also from those that had ended',
  async () => {
    using folder = tempFolder();
    write(folder.path, {
      'flow.yaml': `steps:
  - {id: over, command: [sh, -c, "${escape('over')}"]}
  - {id: working, command: [sh, -c, "${escape('working')}; exec sleep 1000"], needs: [over]}
`,
    });
    const found: ProcessIdentity[] = [];
    const read = (name: string): ProcessIdentity | null => {
      try {
        return identify(Number(readFileSync(join(folder.path, `${name}.pid`), 'utf8')));
      } catch {
        return null;
      }
    };
    try {
      const press: (() => void)[] = [];
      const run = cli(
        {
          folder: folder.path,
          stdin: '',
          onOutput: (_, control) => {
            press.push(() => control.signal('SIGINT'));
          },
        },
        'run',
        'flow.yaml',
        '--run-id',
        'r',
        '--trust',
      );
      for (const name of ['over', 'working']) {
        await until(`${name} escapes`, () => read(name) !== null);
        const escaped = read(name);
        if (escaped !== null) found.push(escaped);
      }
      await until('the command prints what it does', () => press.length > 0);
      press[0]?.();
      press[0]?.();
      expect((await run).code).toBe(20);
      expect(found.map((each) => isAlive(each))).toEqual([false, false]);
    } finally {
      for (const each of found) if (isAlive(each)) process.kill(each.pid, 'SIGKILL');
    }
  },
);
