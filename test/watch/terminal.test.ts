import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { needProgram } from '../rig/need-program.ts';
import { SessionProject } from '../sessions/project.ts';
import { Terminal } from './terminal.ts';

const limit = { timeout: 300_000 };

test(
  'in a real terminal: watch, type, be answered, detach, come back, see the end',
  limit,
  async (context) => {
    needProgram(context, 'tmux');
    await using project = new SessionProject();
    const tutti = project.open();
    const { id } = await project.create(tutti, 'talk', { driver: 'chat' });
    using terminal = new Terminal(project.path);
    terminal.enter(`tutti session attach ${id}`);
    const first = await terminal.until(/heard: talk\n.*\n›/);
    expect(first).toMatch(
      new RegExp(`heard: talk\n● ${id} · worker · RUNNING .*s · working · Ctrl-C detaches\n›$`),
    );

    terminal.type('are you there, 世界?');
    await terminal.until(/› are you there, 世界\?$/);
    expect(terminal.cursor()).toMatch(/^22,\d+ 1$/);
    terminal.press('Enter');
    const answered = await terminal.until(/✔ taken: are you there, 世界\?/);
    expect(answered).toContain('› are you there, 世界?\n');
    expect(await terminal.until(/heard: are you there, 世界\?/)).toMatch(/\n›$/);
    // Painted over and over, it stands there once.
    expect(terminal.screen().match(/RUNNING/g)).toHaveLength(1);

    terminal.resize(40, 12);
    await terminal.until(/\n● RUNNING .* · working\n›$/);
    expect(terminal.screen().match(/RUNNING/g)).toHaveLength(1);
    terminal.resize(80, 24);

    terminal.press('C-c');
    const left = await terminal.until(/code 0/);
    expect(left).toMatch(
      new RegExp(`detached: session ${id} continues\n  → attach again: tutti session attach ${id}\ncode 0`),
    );
    expect(left).not.toContain('RUNNING');
    expect(terminal.cursor()).toMatch(/ 1$/);
    expect((await tutti.queries.sessions.one(id))?.status).toBe('RUNNING');

    terminal.enter(`clear; tutti session attach ${id}`);
    const again = await terminal.until(/heard: are you there, 世界\?[\s\S]*\n›$/);
    expect(again.match(/heard: are you there/g)).toHaveLength(1);
    terminal.type('end');
    terminal.press('Enter');
    const ended = await terminal.until(/code 0/);
    expect(ended).toMatch(
      new RegExp(`✔ session ${id} COMPLETED in .*\n  → look at it: tutti session status ${id}\ncode 0`),
    );
    terminal.type('the terminal is mine again');
    await terminal.until(/\$ the terminal is mine again/);
  },
);

test(
  'the pane of a session: Ctrl-C ends neither it nor the session, and its end is shown',
  limit,
  async (context) => {
    needProgram(context, 'tmux');
    await using project = new SessionProject();
    const tutti = project.open();
    const { id } = await project.create(tutti, 'talk', { driver: 'chat' });
    using terminal = new Terminal(project.path, 60, 20);
    terminal.enter(`tutti session attach --pane ${id}`);
    await terminal.until(/heard: talk[\s\S]*\n›$/);
    terminal.press('C-c');
    await terminal.until(/Ctrl-C does nothing here/);
    terminal.press('C-d');
    await terminal.until(/Ctrl-D does nothing here/);
    expect((await tutti.queries.sessions.one(id))?.status).toBe('RUNNING');
    terminal.type('still there?');
    terminal.press('Enter');
    await terminal.until(/heard: still there\?/);
    terminal.type('end');
    terminal.press('Enter');
    await terminal.until(/COMPLETED in [\s\S]*this view closes/);
    terminal.press('x');
    await terminal.until(/code 0/);
  },
);

test('a hostile agent changes neither the title nor the screen nor the cursor', limit, async (context) => {
  needProgram(context, 'tmux');
  await using project = new SessionProject();
  const tutti = project.open();
  const hostile = '\u001B[2J\u001B[1;1H\u001B]0;pwned\u0007\u001B[?25l\u001B[31mred\u001B[?1049h';
  const { id } = await project.create(tutti, 'talk', { driver: 'chat' });
  using terminal = new Terminal(project.path);
  terminal.enter(`tutti session attach ${id}`);
  await terminal.until(/\n›$/);
  const { sendToSession } = await import('../../src/app/sessions/send.ts');
  await sendToSession(tutti, { id, text: `before ${hostile} after`, timeoutMs: hangLimitMs });
  const screen = await terminal.until(/heard: before red after\n/);
  expect(screen).toMatch(/heard: talk\n/);
  expect(terminal.cursor()).toMatch(/^2,\d+ 1$/);
});

test('a session with a pane is attached in tmux, from within another tmux too', limit, async (context) => {
  needProgram(context, 'tmux');
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'talk', { driver: 'chat', host: 'tmux' });
  using terminal = new Terminal(project.path);
  terminal.enter(`tutti session attach ${id}`);
  await terminal.until(/heard: talk[\s\S]*\n›\n+\[iw-.*detach: Ctrl\+B twice, then D/);
  terminal.press('C-c');
  await terminal.until(/Ctrl-C does nothing here/);
  terminal.press('C-b');
  terminal.press('d');
  const left = await terminal.until(/code 0/);
  expect(left).toContain(`Attaching to session: iw-${id}\n   Press Ctrl+B twice, then D to detach\n`);
  expect(left).toContain(`detached: session ${id} continues\n  → attach again: tutti session attach ${id}\n`);
  expect((await tutti.queries.sessions.one(id))?.status).toBe('RUNNING');

  // Without the pane the session goes on, and is shown in the terminal itself.
  project.tmux('kill-session', '-t', `=iw-${id}`);
  terminal.enter(`clear; tutti session attach ${id}`);
  await terminal.until(/heard: talk[\s\S]*Ctrl-C detaches\n›$/);
  terminal.type('end');
  terminal.press('Enter');
  await terminal.until(/COMPLETED in [\s\S]*code 0/);
});
