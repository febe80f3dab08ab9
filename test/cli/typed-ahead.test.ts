import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needProgram } from '../rig/need-program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { Terminal } from '../watch/terminal.ts';

test('what was typed before the question of trust appears is no answer to it', async (context) => {
  needProgram(context, 'tmux');
  using folder = tempFolder();
  using terminal = new Terminal(folder.path);
  // After the terminal, which trusts what is there.
  writeFileSync(join(folder.path, 'tutti.yaml'), 'sandbox: off\n');
  execFileSync('mkfifo', [join(folder.path, 'go')]);
  // A shell that has not begun shows what is typed twice.
  await terminal.until(/\$$/);
  terminal.enter('cat go; tutti trust');
  await terminal.until(/\$ cat go; tutti trust$/);
  terminal.enter('y');
  // A line whose end is typed after the question.
  terminal.type('y');
  await terminal.until(/\ny\ny$/);
  writeFileSync(join(folder.path, 'go'), '');
  await terminal.until(/\[y\/N\]:/);
  terminal.enter('really');
  const screen = await terminal.until(/code \d/);
  expect(screen).toContain("'really' counts as no");
  expect(screen).toContain('Nothing was changed');
});

test('what was typed while a run worked is no answer to its question', async (context) => {
  needProgram(context, 'tmux');
  using folder = tempFolder();
  execFileSync('mkfifo', [join(folder.path, 'go')]);
  const gate = '{ approval: May it go out? }';
  writeFileSync(
    join(folder.path, 'flow.yaml'),
    `name: typed\nsteps:\n  - { id: a, command: [cat, ${join(folder.path, 'go')}], gates: [${gate}] }\n`,
  );
  using terminal = new Terminal(folder.path);
  await terminal.until(/\$$/);
  terminal.enter('tutti run flow.yaml --run-id r');
  await terminal.until(/● a/);
  terminal.enter('yes');
  terminal.type('ye');
  writeFileSync(join(folder.path, 'go'), '');
  await terminal.until(/nothing: later\):/);
  terminal.enter('');
  expect(await terminal.until(/code \d/)).toContain('code 3');
});
