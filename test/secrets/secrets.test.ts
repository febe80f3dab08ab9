import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';

import { isAlive } from '../../src/lib/process/identity.ts';
import { Redactor } from '../../src/lib/redact.ts';
import { cli } from '../cli/rig.ts';
import { until } from '../rig/attempt-rig.ts';
import { type ProgramEnd, startTutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { type Planted, plantSecrets } from './planted.ts';
import { foundIn, leaksBelow, rawFiles } from './scan.ts';
import { openTutti } from '../rig/trust.ts';

const looks = [
  'status',
  'events',
  'report',
  'runs',
  'inbox',
  'session list --all',
  'session status ID',
  'session logs ID',
  'session logs ID --session-log',
  'session audit',
];

/** What the command lines of all processes tell while something runs. */
class CommandLines implements Disposable {
  readonly found = new Set<string>();
  looked = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(planted: readonly Planted[]) {
    this.#timer = setInterval(() => {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        for (const what of foundIn(commandLine(pid), planted)) this.found.add(what);
      }
      this.looked += 1;
    }, 10);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test('fifteen secrets go through a run and two sessions, and are found nowhere they do not belong', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  await using _quiet = quietAtTheEnd(folder.path);
  const { env, planted, prompt, reason } = plantSecrets(folder.path);
  const state = join(folder.path, '.tutti');
  const told: string[] = [];
  const tutti = async (...args: readonly string[]): Promise<ProgramEnd> => {
    const end = await startTutti(folder.path, args, env).ended;
    for (const what of foundIn(end.stdout + end.stderr, planted)) told.push(`${args.join(' ')}: ${what}`);
    return end;
  };
  const look = async (id: string): Promise<void> => {
    for (const words of looks.flatMap((each) => [each, `${each} --json`])) {
      const { code, out, err } = await cli(
        { folder: folder.path, env },
        ...words.replace('ID', id).split(' '),
      );
      expect({ words, code, err }).toMatchObject({ code: 0 });
      for (const what of foundIn(out + err, planted)) told.push(`${words}: ${what}`);
    }
  };
  {
    using lines = new CommandLines(planted);
    expect((await tutti('run', 'flow.yaml', '--run-id', 'leaks')).code).toBe(3);
    // As long as somebody else has it open, what was written to the log of the database stays there to be found.
    using open = new DatabaseSync(join(state, 'tutti.db'), { readOnly: true });
    open.prepare('select count(*) from runs').get();
    const inbox = await tutti('inbox');
    expect(inbox.stdout).toContain('may I use [redacted:QUESTION_SECRET]?');
    const created = await tutti('session', 'create', 'coder', 'prompt.md', '--json');
    const { session_id: id } = JSON.parse(created.stdout) as { session_id: string };
    expect((await tutti('session', 'logs', id, '--follow')).stdout).toContain('[redacted:SPLIT_SECRET]');
    expect((await tutti('session', 'wait', id)).code).toBe(0);
    expect((await tutti('answer', 'Q1', `yes, ${env['QUESTION_SECRET'] ?? ''}`)).code).toBe(0);
    await look(id);
    expect(readFileSync(join(state, 'tutti.db-wal')).length).toBeGreaterThan(0);
    expect(leaksBelow(state, planted)).toEqual([]);
    // Typed by a person: what they type is in the arguments of their own command.
    expect([...lines.found].filter((what) => what !== 'QUESTION_SECRET')).toEqual([]);
    expect(lines.looked).toBeGreaterThan(20);
  }
  const slow = await tutti('session', 'create', 'coder', 'prompt.md', '--driver', 'slow', '--json');
  const { session_id: killed } = JSON.parse(slow.stdout) as { session_id: string };
  expect((await tutti('session', 'kill', killed, '--force', '--reason', reason)).code).toBe(0);
  await look(killed);
  expect(leaksBelow(state, planted)).toEqual([]);

  // What is raw is there, whole, and for its owner only.
  const files = rawFiles(state);
  expect(files.filter(({ closed }) => !closed)).toEqual([]);
  expect(files.map(({ file }) => file.replace(/.*[/.](?=\w+\.\w+$)/, ''))).toContain('output.log');
  expect(readFileSync(join(folder.path, 'prompt-was'), 'utf8')).toContain(prompt);
  const rawLog = await startTutti(folder.path, ['session', 'logs', killed, '--raw'], env).ended;
  expect(foundIn(rawLog.stdout, planted)).toContain('SERVICE_API_KEY');

  // A child sees what it was given, and no more.
  const ofAgent = readFileSync(join(folder.path, 'env-of-agent'), 'utf8');
  const ofCommand = readFileSync(join(folder.path, 'env-of-command'), 'utf8');
  expect(foundIn(ofAgent, planted)).toEqual(['DRIVER_TOKEN', 'PASSED_TOKEN']);
  expect(foundIn(ofCommand, planted)).toEqual(['PASSED_TOKEN']);

  // In the archive nothing is raw any more.
  await untilNobodyConducts(folder.path);
  const archived = await tutti('session', 'archive', '--all', '--json');
  expect(archived.code).toBe(0);
  expect(readFileSync(join(state, 'archive', 'sessions', killed, 'output.log'), 'utf8')).toContain(
    '[redacted:SERVICE_API_KEY]',
  );
  await look(killed);
  expect(leaksBelow(state, planted)).toEqual([]);
  expect(told).toEqual([]);
});

/** Also when an expectation failed half-way. */
function quietAtTheEnd(folder: string): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      await cli({ folder }, 'session', 'kill', '--all', '--force');
      await untilNobodyConducts(folder);
    },
  };
}

async function untilNobodyConducts(folder: string): Promise<void> {
  const opened = openTutti({ folder, env: {}, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using project = opened.value;
  await until('nobody conducts', async () => {
    const conductor = await project.queries.conductor();
    return conductor === null || !isAlive(conductor);
  });
}

test('control: without redaction the same scan finds them in the database, in views and on the screen', async () => {
  using folder = tempFolder();
  const { env, planted } = plantSecrets(folder.path);
  using _off = switchedOff();
  await cli({ folder: folder.path, env }, 'run', 'flow.yaml', '--run-id', 'leaks');
  const report = await cli({ folder: folder.path, env }, 'inbox');
  expect(foundIn(report.out, planted)).toEqual(['QUESTION_SECRET']);
  const leaks = leaksBelow(join(folder.path, '.tutti'), planted);
  const found = new Map(leaks.map(({ file, what }) => [file, what]));
  expect(found.get('tutti.db')).toEqual(
    expect.arrayContaining(['SERVICE_API_KEY', 'PROMPT_TOKEN', 'SPLIT_SECRET', 'a JWT', 'a private key']),
  );
  expect(found.has('runs/leaks/state.json')).toBe(true);
});

function switchedOff(): Disposable {
  const spy = vi.spyOn(Redactor.prototype, 'text').mockImplementation((text) => text);
  return {
    [Symbol.dispose]: () => {
      spy.mockRestore();
    },
  };
}
