import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { currentProcess } from '../../lib/process/identity.ts';
import { cassetteForm, type CassetteTurn } from '../../model/schemas/cassette.ts';
import { readForm } from '../../model/schemas/yaml-document.ts';
import { addTurn } from './cassette-file.ts';

function turn(session: string, more: Partial<CassetteTurn> = {}): CassetteTurn {
  return { recorded: { session }, match: { prompt: 'p' }, text: session, ...more };
}

function turnsOf(path: string): readonly CassetteTurn[] {
  const form = readForm(cassetteForm, readFileSync(path, 'utf8'), path);
  if (!form.ok) throw new Error(JSON.stringify(form.error));
  return form.value.turns;
}

test('turns are added in their order and numbered among their like; the same session is added once', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'tapes', 'a.yaml');
  expect(addTurn(path, turn('one'))).toBeNull();
  expect(addTurn(path, turn('two'))).toBeNull();
  expect(addTurn(path, turn('one'))).toBeNull();
  expect(addTurn(path, turn('three', { match: { prompt: 'q' } }))).toBeNull();
  expect(turnsOf(path).map(({ text, match }) => [text, match?.nth])).toEqual([
    ['one', 1],
    ['two', 2],
    ['three', 1],
  ]);
  expect(readdirSync(join(folder.path, 'tapes'))).toEqual(['a.yaml']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('what a person wrote stays as it is, however they wrote it', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'a.yaml');
  writeFileSync(path, '# mine\nturns:\n  - text: by hand # yes');
  expect(addTurn(path, turn('one'))).toBeNull();
  expect(readFileSync(path, 'utf8')).toMatch(/^# mine\nturns:\n {2}- text: by hand # yes\n {2}- recorded:\n/);
  writeFileSync(path, '{"turns": [{"text": "in JSON"}]}');
  expect(addTurn(path, turn('two'))).toBeNull();
  expect(turnsOf(path).map(({ text }) => text)).toEqual(['in JSON', 'two']);
});

test('what others wrote meanwhile is seen, also between two turns of one process', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'a.yaml');
  expect(addTurn(path, turn('one'))).toBeNull();
  expect(addTurn(path, turn('two'))).toBeNull();
  const [first = ''] = readFileSync(path, 'utf8').split('  - recorded:\n      session: two');
  // A person took the second away and added another.
  writeFileSync(path, `${first}  - { recorded: { session: three }, match: { prompt: p, nth: 2 } }\n`);
  expect(addTurn(path, turn('three'))).toBeNull();
  expect(addTurn(path, turn('two'))).toBeNull();
  expect(turnsOf(path).map(({ recorded, match }) => [recorded?.session, match?.nth])).toEqual([
    ['one', 1],
    ['three', 2],
    ['two', 3],
  ]);
  rmSync(path);
  expect(addTurn(path, turn('one'))).toBeNull();
  expect(turnsOf(path)).toHaveLength(1);
});

test('a cassette that is broken or may not be written is left alone, and told', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'a.yaml');
  writeFileSync(path, 'turns: [{mach: 1}]');
  expect(addTurn(path, turn('one'))).toContain('unknown member "mach"');
  expect(readFileSync(path, 'utf8')).toBe('turns: [{mach: 1}]');
  writeFileSync(join(folder.path, 'file'), '');
  expect(addTurn(join(folder.path, 'file', 'a.yaml'), turn('one'))).toContain('cannot be written');
});

test('whatever an agent says, the cassette says the same', () => {
  using folder = tempFolder();
  let count = 0;
  const said = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
  const nasty = fc.constantFrom(
    '- a',
    '# b',
    ' a',
    'a ',
    '\n',
    'a\n\n  b\n',
    'yes',
    '1e3',
    '---',
    '\u2028',
    'a: b',
    '\t',
    '\r\n',
    '\u0000',
    '...',
    '|',
    '"',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(said, nasty), { maxLength: 4 }), fc.oneof(said, nasty), (texts, text) => {
      count += 1;
      const path = join(folder.path, `${count}.yaml`);
      addTurn(path, turn('before'));
      const added = turn(`s${count}`, {
        events: texts.map((one) => ({ text: one })),
        files: { a: text },
        text,
      });
      expect(addTurn(path, added)).toBeNull();
      expect(turnsOf(path).at(-1)).toEqual({ ...added, match: { prompt: 'p', nth: 2 } });
    }),
    { seed: 5, numRuns: 100 },
  );
});

test('several processes add at once, and no turn is lost', async () => {
  using folder = tempFolder();
  const path = join(folder.path, 'a.yaml');
  const program = fileURLToPath(new URL('../../../test/drivers/adder.ts', import.meta.url));
  const ended = [1, 2, 3, 4].map(async (one) => {
    const child = spawn(process.execPath, [program, path, String(one), '15'], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  });
  expect(await Promise.all(ended)).toEqual([0, 0, 0, 0]);
  const turns = turnsOf(path);
  expect(new Set(turns.map(({ text }) => text)).size).toBe(60);
  expect(turns.map(({ match }) => match?.nth)).toEqual(turns.map((_, at) => at + 1));
  expect(readdirSync(folder.path)).toEqual(['a.yaml']);
});

test('the lock of a process that died, or of nobody, is taken away', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'a.yaml');
  const lock = `${path}.lock`;
  const { pid, bootId } = currentProcess();
  for (const left of [
    JSON.stringify({ pid, bootId, startTime: 'another' }),
    JSON.stringify({ pid, bootId: 'before', startTime: '1' }),
  ]) {
    writeFileSync(lock, left);
    expect(addTurn(path, turn(left))).toBeNull();
    expect(existsSync(lock)).toBe(false);
  }
  for (const nonsense of ['', '{}', '[]']) {
    writeFileSync(lock, nonsense);
    utimesSync(lock, 1, 1);
    expect(addTurn(path, turn(`nonsense ${nonsense}`))).toBeNull();
  }
  expect(turnsOf(path)).toHaveLength(5);
});
