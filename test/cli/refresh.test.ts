import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli } from './rig.ts';

/** Notes its driver's name and its step; a step that is told to fail does so. */
const agent = `#!/bin/sh
prompt=$(cat)
case $prompt in *"Do the first"*) step=first ;; *) step=second ;; esac
echo "$1 $step" >> "$TUTTI_PROJECT/ledger"
grep -q "$step" "$TUTTI_PROJECT/broken" && exit 3
printf '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;
const note = 'the driver changed; use --refresh to apply it';

/** A run of two steps on the driver `old`; the configuration names `new` from then on. */
async function changedDriver(folder: string, broken: string): Promise<void> {
  const config = (driver: string) =>
    `driver: ${driver}\ndrivers:\n  old: { type: command, command: [./agent, old] }\n  new: { type: command, command: [./agent, new] }\n`;
  write(folder, {
    'tutti.yaml': config('old'),
    agent,
    broken,
    ledger: '',
    'agents/coder.md': 'You code.\n',
    'flow.yaml':
      'name: f\nsteps:\n  - { id: first, agent: coder, prompt: Do the first. }\n  - { id: second, agent: coder, prompt: Do the other., needs: [first] }\n',
  });
  chmodSync(join(folder, 'agent'), 0o755);
  expect((await cli({ folder }, 'run', 'flow.yaml', '--run-id', 'r')).code).not.toBe(0);
  write(folder, { 'tutti.yaml': config('new'), broken: '' });
  writeFileSync(join(folder, 'ledger'), '');
}

const ledger = (folder: string): string => readFileSync(join(folder, 'ledger'), 'utf8');

test('a run without a successful turn is resumed with the driver of today, without a note', async () => {
  using temp = tempFolder();
  await changedDriver(temp.path, 'first');
  const { out, code } = await cli({ folder: temp.path }, 'resume', 'r');
  expect(code).toBe(0);
  expect(out).not.toContain(note);
  expect(ledger(temp.path)).toBe('new first\nnew second\n');
});

test.each([
  ['resume', ['resume', 'r']],
  ['run', ['run', 'flow.yaml', '--run-id', 'r']],
])(
  '%s keeps the driver of a run with a successful turn and says so; --refresh applies the new one',
  async (_name, args) => {
    using temp = tempFolder();
    await changedDriver(temp.path, 'second');
    write(temp.path, { broken: 'second' });
    const kept = await cli({ folder: temp.path }, ...args);
    expect(kept.out).toContain(`${note}\n`);
    expect(ledger(temp.path)).toMatch(/^(old second\n)+$/);
    write(temp.path, { broken: '', ledger: '' });
    const refreshed = await cli({ folder: temp.path }, ...args, '--refresh');
    expect(refreshed.code).toBe(0);
    expect(refreshed.out).not.toContain(note);
    expect(ledger(temp.path)).toMatch(/^(new first\n)?new second\n$/);
  },
);
