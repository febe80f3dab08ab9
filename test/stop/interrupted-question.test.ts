import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Key, StopSignal } from '../../src/cli/context.ts';
import { cli } from '../cli/rig.ts';
import { ledger, statusOf, until, writeShellProject } from '../e2e/project.ts';
import { tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

interface Terminal {
  press(key: Key): void;
  signal(signal: StopSignal): void;
}

test.each<[string, (terminal: Terminal) => void]>([
  // While keys are read, Ctrl-C is a key; one that was pressed just before is a signal.
  ['Ctrl-C as a key', (terminal) => terminal.press({ name: 'c', ctrl: true })],
  ['Ctrl-C as a signal', (terminal) => terminal.signal('SIGINT')],
  ['SIGTERM', (terminal) => terminal.signal('SIGTERM')],
])(
  '%s at the question whether to detach or to halt halts the run and ends the question',
  {
    timeout: 120_000,
  },
  async (_how, interrupt) => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    const steps = [
      { id: 'slow', agent: 'coder', prompt: 'slow' },
      { id: 'next', needs: ['slow'], command: ['true'] },
    ];
    writeShellProject(path, { name: 'slow', steps });
    expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'r', '--detach')).code).toBe(0);
    await until('its agent works', () => ledger(path).includes('slow begin'));
    const acts: (readonly [RegExp, (terminal: Terminal) => void])[] = [
      [/0 of 2 done/, (terminal) => terminal.signal('SIGINT')],
      [/press d to detach, h or Ctrl-C to halt it/, interrupt],
      [
        /halting: 1 agent \(slow\)/,
        (terminal) => {
          terminal.press({ name: 'd' });
          writeFileSync(join(path, 'go'), '');
        },
      ],
    ];
    const { code, out } = await cli(
      {
        folder: path,
        terminal: [120, 30],
        onOutput: (all, terminal) => {
          const [next] = acts;
          if (next === undefined || !next[0].test(all)) return;
          acts.shift();
          setImmediate(() => next[1](terminal));
        },
      },
      'resume',
      'r',
    );
    expect(code, out).toBe(24);
    expect(await statusOf(path, 'r')).toMatchObject({ state: 'halted' });
  },
);
