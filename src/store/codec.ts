import { contentAddress } from '../lib/digest.ts';
import { parsed, type Json } from '../lib/json.ts';
import { type Database, inMemory } from './database.ts';
import type { StoreUnavailable } from '../model/ports/store-unavailable.ts';
import { storeUnavailable } from './errors.ts';
import { keepPrivately, keptPrivately } from './private-values.ts';

const inlineMax = 256 * 1024;
/** A run's row is written again with every change of the run: what is in it is written a thousand times. */
const inlineMaxInRun = 1024;
/** JSON text cannot begin like this, so a reference can never be mistaken for a value. */
const reference = '@blob:';
const privately = '@private:';

/**
 * Writes JSON inline, or as a content-addressed blob when it is large; in both without the secrets that agents, commands
 * and people let slip.
 */
export function encode(db: Database, value: Json): string {
  return inlineOrBlob(db, db.redactor.text(JSON.stringify(value)), inlineMax);
}

/** The same for a column of `runs`. */
export function encodeInRun(db: Database, value: Json): string {
  return inlineOrBlob(db, db.redactor.text(JSON.stringify(value)), inlineMaxInRun);
}

/**
 * What must come back as it was: an agent gets the prompt that was written for it. If there is a secret in it, it is kept
 * beside the database.
 */
export function encodeWhole(db: Database, value: Json): string {
  return wholeOr(db, JSON.stringify(value), inlineMax);
}

/** The same for a column of `runs`. */
export function encodeWholeInRun(db: Database, value: Json): string {
  return wholeOr(db, JSON.stringify(value), inlineMaxInRun);
}

function wholeOr(db: Database, text: string, max: number): string {
  if (db.path === inMemory || db.redactor.text(text) === text) return inlineOrBlob(db, text, max);
  const hash = contentAddress(text);
  keepPrivately(db.path, hash, text);
  return privately + hash;
}

function inlineOrBlob(db: Database, text: string, max: number): string {
  if (text.length <= max) return text;
  const hash = contentAddress(text);
  db.run('insert or ignore into blobs(hash, content) values(?, ?)', hash, text);
  return reference + hash;
}

/** Stored text that another database can hold: a blob becomes the value itself, and a private value stays a reference. */
export function resolved(db: Database, stored: string | null): string | null {
  return stored?.startsWith(reference) === true ? JSON.stringify(decode(db, stored)) : stored;
}

export function decode(db: Database, stored: string | null): Json {
  if (stored === null) return null;
  if (stored.startsWith(privately)) return parsed(keptPrivately(db.path, stored.slice(privately.length)));
  if (!stored.startsWith(reference)) return readable(db, stored);
  const hash = stored.slice(reference.length);
  const found = db.get('select content from blobs where hash = ?', hash);
  if (found === undefined) throw damaged(db, `its value ${hash.slice(0, 12)} is missing`);
  return readable(db, String(found['content']));
}

function readable(db: Database, text: string): Json {
  try {
    return parsed(text);
  } catch {
    throw damaged(db, 'a value in it is no JSON');
  }
}

/** SQLite does not look into values, and does not see that one was wiped. */
function damaged(db: Database, how: string): StoreUnavailable {
  return storeUnavailable(db.path, new Error(`it is malformed: ${how}`));
}
