import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { needProgram } from '../rig/need-program.ts';
import { personProgram } from '../rig/program.ts';
import { Terminal } from '../watch/terminal.ts';
import { Example, plan, specName } from './example.ts';

const withTerminal = { timeout: 300_000 };

/** A person before a real terminal, with the state of Tutti beside the project. */
function sitDown(example: Example): Terminal {
  const terminal = new Terminal(example.path, 100, 50, { file: personProgram, home: example.home });
  terminal.enter(`export HOME EDITOR='sh ${join(example.path, '..', 'editor.sh')}'; clear`);
  return terminal;
}

const question = 'Carry it out? [y]es, [e]dit the tasks first, [n]o, [l]ater:';

/** On a screen without the end of the command before: what is typed ahead of a question does not answer it. */
function cleared({ source }: RegExp): RegExp {
  return new RegExp(`^(?![^]*code \\d)[^]*${source}`);
}

test(
  'at a terminal the plan is shown and asked about once: later, edit, no, yes',
  withTerminal,
  async (context) => {
    needProgram(context, 'tmux');
    using example = new Example();
    writeFileSync(
      join(example.path, '..', 'editor.sh'),
      'for file; do sed -i "s/Parse a duration/Read a duration/" "$file"; done\n',
    );
    using terminal = sitDown(example);
    terminal.enter(`tutti plan ${specName} --new`);
    const shown = await terminal.until(/Carry it out\?/);
    expect(shown).toContain('7 tasks in 3 phases');
    expect(shown).toMatch(/T004 +2 +Add durations +T002, T003/);
    expect(shown).toContain('steel thread  T002 → T003 → T004 → T006');
    expect(shown).toContain('launches      14');
    expect(shown).toMatch(/agents {8}\S+ on \S+, /);
    expect(shown).toContain('deferred to phase 2: Later');
    // Asked once: not as a question of the inbox as well.
    expect(shown).not.toContain('tutti answer');
    terminal.enter('what?');
    const accepted = "'what?' is not understood: answer yes, edit, no or later";
    await terminal.until(new RegExp(`what\\?\\n${literal(accepted)}\\n${literal(question)}`));
    terminal.enter('');
    expect(await terminal.until(/code 3/)).toContain(`tutti plan approve --plan ${plan}`);

    terminal.enter(`clear; tutti plan --plan ${plan}`);
    await terminal.until(cleared(/Parse a duration[^]*Carry it out\?/));
    terminal.enter('e');
    await terminal.until(/Read a duration[^]*Carry it out\?/);
    expect(example.turns().filter((step) => step.startsWith('validation'))).toHaveLength(2);
    terminal.enter('n');
    await terminal.until(/What should change\?/);
    terminal.press('C-c');
    expect(await terminal.until(/code 3/)).toContain('nothing is decided: the question stays open');
    terminal.enter(`clear; tutti plan --plan ${plan}`);
    await terminal.until(cleared(/Carry it out\?/));
    terminal.enter('n');
    await terminal.until(/What should change\?/);
    terminal.enter('');
    expect(await terminal.until(/code 1/)).toContain('the plan was refused by user:');

    terminal.enter(`clear; tutti plan --plan ${plan}`);
    await terminal.until(cleared(/Carry it out\?/));
    terminal.enter('y');
    expect(await terminal.until(/code 0/)).toContain(`tutti execute --plan ${plan}`);
    expect(example.turns()).toHaveLength(6);
  },
);

test(
  'at a terminal execution asks one by one where that is wanted, and else not at all',
  withTerminal,
  async (context) => {
    needProgram(context, 'tmux');
    using example = new Example();
    await example.planned();
    using terminal = sitDown(example);
    terminal.enter('clear; tutti execute --interactive');
    await terminal.until(/T001 Table of units: execute it\? \[y\/N\]:/);
    terminal.enter('y');
    await terminal.until(/T002 Parse a duration: execute it\? \[y\/N\]:/);
    terminal.enter('n');
    await terminal.until(/T003 Format a duration: execute it\? \[y\/N\]:/);
    terminal.enter('y');
    const end = await terminal.until(/code 12/);
    expect(end).toContain(`tutti land --plan ${plan}`);
    expect(end).toMatch(/✔ T003 Format a duration/);
    expect(end).toMatch(/○ T004 Add durations/);
    expect(example.turns().slice(5)).toEqual(['T001', 'T001/verify', 'T003', 'T003/verify']);

    terminal.enter('clear; tutti execute');
    const last = await terminal.until(/code 0/);
    expect(last).toMatch(/✔ T007 What the package offers/);
    expect(last).not.toContain('[y/N]');
  },
);

test(
  'Ctrl-C at a terminal lets the task under way finish; resume goes on in the same terminal',
  withTerminal,
  async (context) => {
    needProgram(context, 'tmux');
    using example = new Example({ slow: [1] });
    await example.planned();
    using terminal = sitDown(example);
    terminal.enter('tutti execute --task T001 --task T002');
    await terminal.until(/● T001 Table of units/);
    // Shown as soon as it begins: until an agent works on it, Ctrl-C would keep it from beginning.
    await until('an agent works on T001', () => example.turns().includes('T001'));
    terminal.press('C-c');
    await terminal.until(/halting: agents finish task T001, no other task starts/);
    example.go();
    const halted = await terminal.until(/code 24/);
    expect(halted).toMatch(/✔ T001 Table of units/);
    expect(halted).toMatch(/○ T002 Parse a duration/);
    expect(halted).toContain(`tutti resume ${plan}-execute`);
    terminal.enter(`clear; tutti resume ${plan}-execute`);
    await terminal.until(/code 0/);
    expect(example.turns().slice(5)).toEqual(['T001', 'T001/verify', 'T002', 'T002/verify']);
  },
);

function literal(text: string): string {
  return text.replaceAll(/[[\]?]/g, String.raw`\$&`);
}
