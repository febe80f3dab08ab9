import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import { replaceFile } from '../../lib/atomic-file.ts';
import { canonical, plain } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type Cassette, cassetteForm, type CassetteTurn } from '../../model/schemas/cassette.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { readForm } from '../../model/schemas/yaml-document.ts';
import { conditionsOf } from '../replay/match.ts';
import { withLock } from './lock.ts';

const maxBytes = 64 * 1024 * 1024;

/**
 * Adds a turn to a cassette. Null, or a sentence why not. Whoever reads the file finds it without the turn or with it;
 * several may add at once, also from several processes; a session that is there already is not added again.
 */
export function addTurn(cassette: string, turn: CassetteTurn): string | null {
  try {
    mkdirSync(dirname(cassette), { recursive: true });
    return withLock(`${cassette}.lock`, () => added(cassette, turn));
  } catch (error) {
    return `${cassette} cannot be written: ${String(error)}`;
  }
}

function added(cassette: string, turn: CassetteTurn): string | null {
  const old = readCassette(cassette);
  if (!old.ok) return old.error;
  const { text, turns } = old.value;
  if (turns.some(({ recorded }) => recorded?.session === turn.recorded?.session)) return null;
  const conditions = conditionsOf(turn.match ?? {});
  const nth =
    turns.filter(({ match }) => match?.nth !== undefined && conditionsOf(match) === conditions).length + 1;
  const numbered = { ...turn, match: { ...turn.match, nth } };
  const next = textWith(text, turns, numbered, cassette);
  if (Buffer.byteLength(next) > maxBytes)
    return `${cassette} would be larger than ${maxBytes} bytes: record into another one`;
  replaceFile(cassette, next);
  return null;
}

interface Old {
  readonly text: string;
  readonly turns: Cassette['turns'];
}

function readCassette(path: string): Result<Old, string> {
  const text = readText(path, { maxBytes, links: 'follow' });
  if (!text.ok) {
    return text.error.why === 'absent' ? ok({ text: '', turns: [] }) : err(`${path} ${text.error.message}`);
  }
  const form = readForm(cassetteForm, text.value, path);
  if (form.ok) return ok({ text: text.value, turns: form.value.turns });
  return err(`${form.error.slice(0, 1).map(problemSentence).join()}; mend it, or record into another file`);
}

/** At the end of the file as it is, where that can be: a person's comments stay. */
function textWith(text: string, turns: Cassette['turns'], turn: CassetteTurn, path: string): string {
  const head = text === '' ? 'turns:\n' : text.endsWith('\n') ? text : `${text}\n`;
  const longer = `${head}${indented(yamlOf([turn]))}`;
  const all = [...turns, turn];
  const read = readForm(cassetteForm, longer, path);
  return read.ok && same(read.value.turns, all) ? longer : yamlOf({ turns: all });
}

function yamlOf(value: unknown): string {
  return stringify(plain(value), { lineWidth: 0, version: '1.2' });
}

/** A line without anything stays so: in a text it means an empty line, and no other. */
function indented(yaml: string): string {
  return yaml.replaceAll(/^(?=.)/gm, '  ');
}

function same(a: Cassette['turns'], b: Cassette['turns']): boolean {
  return canonical(plain(a)) === canonical(plain(b));
}
