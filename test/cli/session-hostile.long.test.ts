import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { requiredSession } from '../../src/app/sessions/find.ts';
import { checkedFolder } from '../../src/app/sessions/folders.ts';
import { originOf } from '../../src/app/sessions/origin.ts';
import { checkRequest } from '../../src/app/session-control/request.ts';
import type { Refusal } from '../../src/app/refusal.ts';

import { fail } from '../../src/cli/fail.ts';
import { err, type Result } from '../../src/lib/result.ts';
import { playedPerson } from '../rig/person.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { hostileDirectory, hostileName, randomOf, secret } from './hostile-names.ts';
import { contentsOf, write } from './project.ts';
import { cli } from './rig.ts';
import { plainRequest } from '../sessions/plain-request.ts';
import { openTutti } from '../rig/trust.ts';

const tries = 10_000;
const seed = 20_251_118;

/** A project beside a folder with a secret, and links that lead there. */
function neighbours(parent: string): string {
  const root = join(parent, 'project');
  write(parent, {
    'outside/secret.md': secret,
    'outside/state.json': secret,
    'outside/sub/file': secret,
    'project/tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [sh]}}\n',
    'project/task.md': 'do it\n',
    'project/agents/worker.md': 'You work.\n',
  });
  symlinkSync('../../outside/secret.md', join(root, 'agents', 'linked.md'));
  symlinkSync('../outside', join(root, 'link'));
  symlinkSync('../../outside', join(root, 'agents', 'folder'));
  mkdirSync(join(root, 'sub'));
  symlinkSync('../../outside', join(root, 'sub', 'up'));
  return realpathSync(root);
}

/** Everything but what a database writes when somebody only reads it. */
function everything(parent: string): readonly string[] {
  return contentsOf(parent).filter((line) => !line.includes('.db-shm'));
}

/** What a person sees of it. */
function shown(refusal: Refusal, json: boolean): string {
  let text = '';
  const stderr = { write: (part: string) => void (text += part) };
  fail({ process: { stdout: { write: () => undefined }, stderr } }, refusal, json);
  return text;
}

test('ten thousand hostile names and directories: each refused in one sentence, and nobody gets out', async () => {
  using parent = tempFolder();
  const root = neighbours(parent.path);
  const env = { PATH: process.env['PATH'], HOME: root };
  const opened = openTutti({ folder: root, env, caller: playedPerson(env), create: true });
  if (!opened.ok) throw new Error(opened.error.message);
  using tutti = opened.value;
  const origin = await originOf(tutti);
  const agents = { ...origin, parent: 'somebody' };
  const request = plainRequest(root, 'task.md');
  const sentence = (found: Result<unknown, string>): Result<unknown, Refusal> =>
    found.ok ? found : err({ outcome: 'USAGE', message: found.error, hint: 'x' });
  const random = randomOf(seed);
  const kinds: Readonly<Record<string, () => Promise<readonly [string, Result<unknown, Refusal>]>>> = {
    agent: async () => {
      const name = random.pick(['linked', 'folder', ...Array.from({ length: 8 }, () => hostileName(random))]);
      return [name, await checkRequest(tutti, { ...request, agent: name }, origin)];
    },
    id: async () => {
      const name = hostileName(random);
      return [name, await requiredSession(tutti, name)];
    },
    tag: async () => {
      const name = hostileName(random);
      return [name, await checkRequest(tutti, { ...request, tags: ['fine', name] }, origin)];
    },
    parent: async () => {
      const name = hostileName(random);
      return [name, await checkRequest(tutti, { ...request, parent: name }, origin)];
    },
    after: async () => {
      const name = hostileName(random);
      return [name, await checkRequest(tutti, { ...request, after: [name] }, origin)];
    },
    template: async () => {
      const name = hostileName(random);
      return [name, await checkRequest(tutti, { ...request, template: name }, origin)];
    },
    cwd: async () => {
      const path = hostileDirectory(random, parent.path);
      return [path, await checkRequest(tutti, { ...request, cwd: path }, origin)];
    },
    'add-dir of an agent': async () => {
      const path = hostileDirectory(random, parent.path);
      return [path, await checkRequest(tutti, { ...request, addDirs: ['sub', path] }, agents)];
    },
    folder: async () => {
      const path = hostileDirectory(random, parent.path);
      return [path, sentence(checkedFolder(path, { from: root, within: [root] }))];
    },
  };
  const names = Object.keys(kinds);
  const before = everything(parent.path);
  const wrong: unknown[] = [];
  const tried = new Map<string, number>();
  for (let n = 0; n < tries; n += 1) {
    const kind = names[n % names.length] ?? '';
    const [name, result] = (await kinds[kind]?.()) ?? [
      '',
      err({ outcome: 'USAGE', message: '', hint: '' } as const),
    ];
    tried.set(kind, (tried.get(kind) ?? 0) + 1);
    if (result.ok) {
      wrong.push({ kind, name, why: 'let in' });
      continue;
    }
    const text = shown(result.error, false);
    const json = shown(result.error, true);
    const [first = '', second = '', ...more] = text.split('\n');
    const one = /^tutti: \S/.test(first) && /^ {2}→ \S/.test(second) && more.join('') === '';
    if (!one) wrong.push({ kind, name, text, why: 'not one sentence' });
    if (/\p{Cc}|\p{Bidi_C}/u.test(first + second))
      wrong.push({ kind, name, text, why: 'control characters' });
    if (json.split('\n').length !== 2 || /\p{Cc}/u.test(json.trimEnd())) wrong.push({ kind, name, json });
    if ((text + json).includes(secret)) wrong.push({ kind, name, text, why: 'read outside' });
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect([...tried.values()].reduce((sum, count) => sum + count, 0)).toBe(tries);
  expect(Math.min(...tried.values())).toBeGreaterThan(1000);
  expect(everything(parent.path)).toEqual(before);
});

test('control: paths that are only joined do lead out, and to the secret', () => {
  using parent = tempFolder();
  const root = neighbours(parent.path);
  const random = randomOf(seed);
  let out = 0;
  let read = 0;
  for (let n = 0; n < 2000; n += 1) {
    const name = hostileName(random);
    const folder = resolve(root, hostileDirectory(random, parent.path));
    for (const path of [join(root, 'agents', name), join(root, '.tutti', 'sessions', name), folder]) {
      if (!path.startsWith(`${root}/`)) out += 1;
      const file = path.includes('\0') ? '' : join(path, 'state.json');
      if (file !== '' && file.length < 1000 && existsSync(file) && readFileSync(file, 'utf8') === secret)
        read += 1;
    }
  }
  expect(out).toBeGreaterThan(200);
  expect(read).toBeGreaterThan(20);
});

test('the same through the command line: one sentence, and nothing is made', async () => {
  using parent = tempFolder();
  const root = neighbours(parent.path);
  const before = everything(parent.path);
  const random = randomOf(seed + 1);
  for (let n = 0; n < 60; n += 1) {
    const name = hostileName(random);
    const path = hostileDirectory(random, parent.path);
    const lines = [
      ['session', 'create', '--', name, 'task.md'],
      ['session', 'create', 'worker', 'task.md', `--tag=${name}`],
      ['session', 'create', 'worker', 'task.md', `--cwd=${path}`],
      ['session', 'status', '--', name],
    ];
    for (const args of lines) {
      const end = await cli({ folder: root, stdin: '' }, ...args);
      expect({ args, code: end.code, out: end.out }).toEqual({ args, code: 64, out: '' });
      expect(end.err).toMatch(/^tutti: [^\n]+\n {2}→ [^\n]+\n$/);
      expect(end.err.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_C}/u);
    }
  }
  expect(everything(parent.path)).toEqual(before);
});
