import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { needProgram } from '../rig/need-program.ts';
import { personProgram } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { trustProject } from '../rig/trust.ts';

const flow = `
name: live
concurrency: 2
steps:
  - { id: build, command: [sleep, '1.5'] }
  - { id: lint, command: [sh, -c, 'echo lint is unhappy; exit 3'], required: false }
  - id: approve
    needs: [build]
    command: [echo, ready]
    gates: [{ approval: May it go out? }]
  - { id: ship, needs: [approve], command: [echo, shipped] }
`;

/** A real terminal on a socket of its own, so that nobody's tmux is touched. */
/** The folder is the person's home too. */
function atHome(folder: string) {
  return { ...process.env, HOME: folder };
}

function terminal(folder: string) {
  const socket = `tutti-${randomBytes(4).toString('hex')}`;
  const env = atHome(folder);
  trustProject(folder, env);
  const tmux = (...args: readonly string[]) =>
    spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env });
  tmux('new-session', '-d', '-s', 't', '-x', '80', '-y', '20', '-c', folder, 'exec bash --norc');
  const screen = () => tmux('capture-pane', '-pt', 't').stdout;
  return {
    type: (line: string) => tmux('send-keys', '-t', 't', line, 'Enter'),
    press: (key: string) => tmux('send-keys', '-t', 't', key),
    resize: (columns: number, rows: number) =>
      tmux('resize-window', '-t', 't', '-x', String(columns), '-y', String(rows)),
    screen,
    cursorVisible: () => tmux('display-message', '-pt', 't', '#{cursor_flag}').stdout.trim() === '1',
    until: async (pattern: RegExp) => {
      for (let n = 0; n < hangLimitMs / 100; n += 1) {
        if (pattern.test(screen())) return screen();
        await pause(100);
      }
      throw new Error(`never saw ${pattern}:\n${screen()}`);
    },
    [Symbol.dispose]: () => {
      tmux('kill-server');
    },
  };
}

test('a person sees the run live, answers its question in another terminal, and gets the cursor back', {
  timeout: 300_000,
}, async (context) => {
  needProgram(context, 'tmux');
  using folder = tempFolder();
  write(folder.path, { 'flow.yaml': flow });
  using view = terminal(folder.path);
  const command = `"${process.execPath}" "${installedTutti()}"`;
  view.type(`PS1='$ '; clear; tutti() { ${command} "$@"; }; tutti run flow.yaml --run-id r1; echo "code $?"`);

  const early = await view.until(/✕ lint/);
  expect(early).toMatch(/run r1 · running .* · \d of \d done · slots 1\/2 · 0 launches/);
  expect(early).toMatch(/● build .*s\n✕ lint .*lint is unhappy\n○ approve\n○ ship\n/);
  expect(view.cursorVisible()).toBe(false);

  view.resize(40, 10);
  const small = await view.until(/run r1 · running .*…\n/);
  expect(small.match(/run r1/g)).toHaveLength(1);
  view.resize(80, 20);

  const waiting = await view.until(/Your answer, or its number/);
  expect(waiting).toMatch(/✔ build .*\n✕ lint .*\n◐ approve .*waits for an answer\n○ ship\n◐ Q1 {2}approve/);
  // Painted over and over, it stands there once.
  expect(waiting.match(/✔ build/g)).toHaveLength(1);

  spawnSync(process.execPath, [personProgram, 'answer', 'Q1', 'yes'], {
    cwd: folder.path,
    env: atHome(folder.path),
  });
  const ended = await view.until(/code 12/);
  expect(ended).toMatch(/Q1 was already answered with '\S+' by user:/);
  expect(ended).toMatch(/✔ ship[\s\S]*run r1 ended with PARTIAL_SUCCESS[\s\S]*tutti resume r1\ncode 12/);
  expect(view.cursorVisible()).toBe(true);
});

test('Ctrl-C drains, and the prompt comes back with the command that goes on', {
  timeout: 300_000,
}, async (context) => {
  needProgram(context, 'tmux');
  using folder = tempFolder();
  write(folder.path, { 'flow.yaml': flow });
  using view = terminal(folder.path);
  const command = `"${process.execPath}" "${installedTutti()}"`;
  view.type(`PS1='$ '; clear; ${command} run flow.yaml --run-id r1; echo "code $?"`);
  await view.until(/● build/);
  view.press('C-c');
  const ended = await view.until(/code 24/);
  expect(ended).toMatch(/halting: [\s\S]*✔ build[\s\S]*run r1 is halted[\s\S]*tutti resume r1\n/);
  expect(view.cursorVisible()).toBe(true);
});
