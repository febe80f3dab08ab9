import { mkdirSync, statSync } from 'node:fs';
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
import { withLock } from '../../lib/file-lock.ts';

const maxBytes = 64 * 1024 * 1024;

/** What must be known of a cassette to add a turn. */
interface Contents {
  readonly sessions: Set<string>;
  /** How many turns there are by their conditions, of those with a number. */
  readonly counts: Map<string, number>;
  /** Whether a turn may be written behind the last line. */
  readonly open: boolean;
  readonly mark: string;
}

/** Of cassettes that this process wrote last: reading a long one takes seconds, and a conductor has no time for that. */
const known = new Map<string, Contents>();

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
  const text = readText(cassette, { maxBytes, links: 'follow' });
  if (!text.ok && text.error.why !== 'absent') return `${cassette} ${text.error.message}`;
  const old = text.ok ? text.value : '';
  const remembered = known.get(cassette);
  const found = remembered?.mark === markOf(cassette) ? ok(remembered) : contentsOf(old, cassette);
  if (!found.ok) return found.error;
  const { sessions, counts, open } = found.value;
  const session = turn.recorded?.session ?? '';
  if (sessions.has(session)) return null;
  const conditions = conditionsOf(turn.match ?? {});
  const nth = (counts.get(conditions) ?? 0) + 1;
  const next = textWith(old, { ...turn, match: { ...turn.match, nth } }, open, cassette);
  if (Buffer.byteLength(next) > maxBytes) {
    return `${cassette} would be larger than ${maxBytes} bytes: record into another one`;
  }
  replaceFile(cassette, next);
  sessions.add(session);
  counts.set(conditions, nth);
  known.set(cassette, { sessions, counts, open: true, mark: markOf(cassette) });
  return null;
}

/** Different for every file that was ever put there. */
function markOf(path: string): string {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? '' : [facts.ino, facts.size, facts.ctimeNs].join(' ');
}

function contentsOf(text: string, path: string): Result<Contents, string> {
  const turns = text === '' ? ok([]) : turnsIn(text, path);
  if (!turns.ok) return err(`${turns.error}; fix it, or record into another file`);
  const counts = new Map<string, number>();
  for (const { match } of turns.value) {
    if (match?.nth === undefined) continue;
    const conditions = conditionsOf(match);
    counts.set(conditions, (counts.get(conditions) ?? 0) + 1);
  }
  const sessions = new Set(turns.value.flatMap(({ recorded }) => recorded?.session ?? []));
  return ok({ sessions, counts, open: text === '', mark: '' });
}

function turnsIn(text: string, path: string): Result<Cassette['turns'], string> {
  const form = readForm(cassetteForm, text, path);
  return form.ok ? ok(form.value.turns) : err(form.error.slice(0, 1).map(problemSentence).join());
}

/** Behind the last line, where that can be: a person's comments stay. Otherwise everything is written again. */
function textWith(old: string, turn: CassetteTurn, open: boolean, path: string): string {
  const block = indented(yamlOf([turn]));
  const head = old === '' ? 'turns:\n' : old.endsWith('\n') ? old : `${old}\n`;
  const all = (): Cassette['turns'] => {
    const before = old === '' ? ok([]) : turnsIn(old, path);
    return [...(before.ok ? before.value : []), turn];
  };
  const fits = open ? isSame(`turns:\n${block}`, [turn], path) : isSame(`${head}${block}`, all(), path);
  return fits ? `${head}${block}` : yamlOf({ turns: all() });
}

function isSame(text: string, turns: Cassette['turns'], path: string): boolean {
  const read = turnsIn(text, path);
  return read.ok && canonical(plain(read.value)) === canonical(plain(turns));
}

function yamlOf(value: unknown): string {
  return stringify(plain(value), { lineWidth: 0, version: '1.2' });
}

/** A line without anything stays so: in a text it means an empty line, and no other. */
function indented(yaml: string): string {
  return yaml.replaceAll(/^(?=.)/gm, '  ');
}
