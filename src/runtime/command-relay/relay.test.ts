import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../../test/rig/attempt-rig.ts';
import { type TempFolder, tempFolder } from '../../../test/rig/temp-folder.ts';
import { checkRequest, relayLimits, requestFile } from '../../model/command-relay.ts';
import { Relay, type RelayParts } from './relay.ts';

/** Stands for Tutti: notes its words, says what it was given, and does what the first word says. */
const stand = `
import { appendFileSync, existsSync } from 'node:fs';
const [ledger, word, ...rest] = process.argv.slice(2);
appendFileSync(ledger, [word, ...rest].join(' ') + '\\n');
if (word === 'wait') { process.on('SIGTERM', () => process.exit(7)); while (!existsSync(rest[0])) await new Promise((go) => setTimeout(go, 10)); }
if (word === 'much') process.stdout.write('x'.repeat(Number(rest[0])));
if (word === 'env') console.log(JSON.stringify(process.env));
if (word === 'cwd') console.log(process.cwd());
if (word === 'cat') process.stdin.pipe(process.stdout);
if (word === 'fail') { console.error('no'); process.exitCode = 3; }
if (word === 'die') process.kill(process.pid, 'SIGKILL');
`;

class Desk implements AsyncDisposable {
  readonly #folder: TempFolder = tempFolder();
  readonly root = realpathSync(this.#folder.path);
  readonly relay: Relay;
  #count = 0;

  constructor(check: RelayParts['check'] = checkRequest) {
    for (const name of ['requests', 'answers', 'work', 'elsewhere']) mkdirSync(this.at(name));
    for (const [name, text] of [
      ['stand.mjs', stand],
      ['ledger', ''],
    ] as const)
      writeFileSync(this.at(name), text);
    this.relay = new Relay({
      session: 's1',
      sessionDir: this.root,
      requests: this.at('requests'),
      answers: this.at('answers'),
      check,
      program: {
        argv: [process.execPath, this.at('stand.mjs'), this.at('ledger')],
        env: { PATH: process.env['PATH'], TUTTI_SESSION_ID: 's1', TZ: 'UTC', NO_COLOR: '1' },
        confinement: { project: this.at('work'), places: [this.at('work')] },
      },
    });
  }

  at(name: string): string {
    return join(this.root, name);
  }

  id(): string {
    this.#count += 1;
    return this.#count.toString(16).padStart(32, '0');
  }

  post(request: object, id = this.id()): string {
    const told = { kind: 'command', session: 's1', argv: [], cwd: this.at('work'), env: {}, stdin: null };
    writeFileSync(this.at('draft'), JSON.stringify({ ...told, ...request }));
    renameSync(this.at('draft'), join(this.at('requests'), requestFile(id)));
    return id;
  }

  async ask(request: object, id?: string) {
    return this.answer(this.post(request, id));
  }

  async answer(id: string) {
    const file = (kind: string): string => join(this.at('answers'), `${id}.${kind}`);
    await until(`${id} is answered`, () => existsSync(file('json')));
    const end: unknown = JSON.parse(readFileSync(file('json'), 'utf8'));
    return { end, out: readFileSync(file('out'), 'utf8'), err: readFileSync(file('err'), 'utf8') };
  }

  get ledger(): readonly string[] {
    return readFileSync(this.at('ledger'), 'utf8').split('\n').slice(0, -1);
  }

  get left(): readonly string[] {
    return readdirSync(this.at('requests'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.relay[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

test('a command is carried out with its words, folder, variables and input, and answered with output and code', async () => {
  await using desk = new Desk();
  expect(await desk.ask({ argv: ['fail', '$(id); "x"'] })).toEqual({
    end: { exitCode: 3 },
    out: '',
    err: 'no\n',
  });
  expect(desk.ledger).toEqual(['fail $(id); "x"']);
  expect(await desk.ask({ argv: ['cat'], stdin: 'told' })).toMatchObject({
    end: { exitCode: 0 },
    out: 'told',
  });
  expect(await desk.ask({ argv: ['cwd'] })).toMatchObject({ out: `${desk.at('work')}\n` });
  expect(await desk.ask({ argv: ['die'] })).toMatchObject({ end: { exitCode: 137 } });
  const { out } = await desk.ask({ argv: ['env'], env: { TZ: 'CET' } });
  expect(JSON.parse(out)).toMatchObject({ TUTTI_SESSION_ID: 's1', TZ: 'CET' });
  // Of variables that an agent may choose, those count that it has.
  expect(JSON.parse(out)).not.toHaveProperty('NO_COLOR');
});

test('a request that names another session is refused, and the session log says so', async () => {
  await using desk = new Desk();
  const refused = 'this is session s1, and cannot act as s2';
  expect(await desk.ask({ session: 's2', argv: ['log'] })).toMatchObject({ end: { refused } });
  expect(desk.ledger).toEqual([]);
  expect(readFileSync(desk.at('session.log'), 'utf8')).toContain(
    `[WARN] Relay: refused a command: ${refused}`,
  );
});

test('control: without that check, the request that names another session is carried out', async () => {
  const believes: RelayParts['check'] = (value) => {
    const told = { ...Object(value), session: 's1' };
    return checkRequest(told, 's1');
  };
  await using desk = new Desk(believes);
  expect(await desk.ask({ session: 's2', argv: ['log'] })).toMatchObject({ end: { exitCode: 0 } });
  expect(desk.ledger).toEqual(['log']);
});

test('a request that is posted twice is carried out once', async () => {
  await using desk = new Desk();
  const id = desk.id();
  await desk.ask({ argv: ['one'] }, id);
  desk.post({ argv: ['one'] }, id);
  await until('it is gone', () => desk.left.length === 0);
  await desk.ask({ argv: ['two'] });
  expect(desk.ledger).toEqual(['one', 'two']);
});

test('a request whose answer another relay had begun is not carried out again', async () => {
  await using desk = new Desk();
  const id = desk.id();
  writeFileSync(join(desk.at('answers'), `${id}.out`), '');
  desk.post({ argv: ['one'] }, id);
  await desk.ask({ argv: ['two'] });
  expect(desk.ledger).toEqual(['two']);
});

test('links, pipes, folders, huge and broken requests start nothing, and the next one is answered', async () => {
  await using desk = new Desk();
  const good = {
    kind: 'command',
    session: 's1',
    argv: ['smuggled'],
    cwd: desk.at('work'),
    env: {},
    stdin: null,
  };
  writeFileSync(desk.at('elsewhere/good.json'), JSON.stringify(good));
  const ids = Array.from({ length: 5 }, () => desk.id());
  const [link = '', pipe = '', folder = '', huge = '', broken = ''] = ids.map((id) =>
    join(desk.at('requests'), requestFile(id)),
  );
  symlinkSync(desk.at('elsewhere/good.json'), link);
  spawnSync('mkfifo', [pipe]);
  mkdirSync(folder);
  writeFileSync(huge, `${JSON.stringify(good)}${' '.repeat(relayLimits.requestBytes)}`);
  writeFileSync(broken, '{"kind":"command","session":');
  for (const id of ids) expect(await desk.answer(id)).toMatchObject({ end: { refused: expect.any(String) } });
  expect(existsSync(desk.at('elsewhere/good.json'))).toBe(true);
  await desk.ask({ argv: ['honest'] });
  expect(desk.ledger).toEqual(['honest']);
  expect(desk.left).toEqual([requestFile(ids[2] ?? '')]);
});

test('a folder that is none of the session, by its path or by a link, is refused', async () => {
  await using desk = new Desk();
  symlinkSync(desk.at('elsewhere'), desk.at('work/link'));
  for (const cwd of ['/', desk.at('elsewhere'), desk.at('work/link'), `${desk.at('work')}/../elsewhere`])
    expect(await desk.ask({ argv: ['log'], cwd })).toMatchObject({
      end: { refused: expect.stringContaining("is none of this session's") },
    });
  const cwd = desk.at('work/missing');
  expect(await desk.ask({ argv: ['log'], cwd })).toMatchObject({
    end: { refused: expect.stringContaining('there is no folder') },
  });
  expect(desk.ledger).toEqual([]);
});

test('thousands of requests at once: a few run, some wait, the rest are refused, and none runs twice', async () => {
  await using desk = new Desk();
  const gate = desk.at('work/gate');
  const many = Array.from({ length: 2000 }, () => desk.post({ argv: ['wait', gate] }));
  await until('all are taken', () => desk.left.length === 0);
  await until('the first ones run', () => desk.ledger.length === relayLimits.running);
  writeFileSync(gate, '');
  const most = relayLimits.running + relayLimits.waiting;
  await until('all that may run have run', () => desk.ledger.length === most);
  await desk.ask({ argv: ['honest'] });
  expect(desk.ledger.slice(most)).toEqual(['honest']);
  // What nobody reads is not kept for ever.
  const kept = readdirSync(desk.at('answers')).filter((name) => name.endsWith('.out'));
  expect(kept.length).toBeLessThanOrEqual(relayLimits.keptAnswers);
  expect(many.length).toBeGreaterThan(kept.length);
  expect(readFileSync(desk.at('session.log'), 'utf8').split('\n').length).toBeLessThan(100);
});

test('output beyond the limit is dropped, and the command ends as it would', async () => {
  await using desk = new Desk();
  const { end, out } = await desk.ask({ argv: ['much', String(relayLimits.outputBytes + 100_000)] });
  expect(end).toEqual({ exitCode: 0 });
  expect(out.length).toBe(relayLimits.outputBytes);
});

test('a signal reaches a command of the session, running or waiting, and no other process', async () => {
  await using desk = new Desk();
  const never = desk.at('work/never');
  const running = Array.from({ length: relayLimits.running }, () => desk.post({ argv: ['wait', never] }));
  await until('they run', () => desk.ledger.length === running.length);
  const waiting = desk.post({ argv: ['wait', never] });
  const end = (of: string) => desk.ask({ kind: 'signal', of, signal: 'SIGTERM' });
  expect(await end(String(process.pid))).toMatchObject({ end: { exitCode: 0 } });
  await end(waiting);
  expect(await desk.answer(waiting)).toMatchObject({ end: { refused: expect.stringContaining('SIGTERM') } });
  for (const of of running) {
    await end(of);
    expect(await desk.answer(of)).toMatchObject({ end: { exitCode: 7 } });
  }
});

test('when the agent has ended, what runs may finish, what waits is dropped, and no answer is left', async () => {
  await using desk = new Desk();
  const gate = desk.at('work/gate');
  for (let count = 0; count < relayLimits.running + 1; count += 1) desk.post({ argv: ['wait', gate] });
  await until('some run', () => desk.ledger.length === relayLimits.running && desk.left.length === 0);
  const over = desk.relay[Symbol.asyncDispose]();
  writeFileSync(gate, '');
  await over;
  expect(desk.ledger).toHaveLength(relayLimits.running);
  expect(readdirSync(desk.at('answers'))).toEqual([]);
});
