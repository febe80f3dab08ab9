import { contentAddress } from '../lib/digest.ts';
import { parsed, type Json } from '../lib/json.ts';
import type { Database } from './database.ts';

const inlineMax = 256 * 1024;
/** A run's row is written anew with every change of the run: what is in it is written a thousand times. */
const inlineMaxInRun = 1024;
/** JSON text cannot begin like this, so a reference can never be mistaken for a value. */
const reference = '@blob:';

/** Writes JSON inline, or as a content-addressed blob when it is large. */
export function encode(db: Database, value: Json): string {
  return encodeUpTo(db, value, inlineMax);
}

/** The same for a column of `runs`. */
export function encodeInRun(db: Database, value: Json): string {
  return encodeUpTo(db, value, inlineMaxInRun);
}

function encodeUpTo(db: Database, value: Json, max: number): string {
  const text = JSON.stringify(value);
  if (text.length <= max) return text;
  const hash = contentAddress(text);
  db.run('insert or ignore into blobs(hash, content) values(?, ?)', hash, text);
  return reference + hash;
}

export function decode(db: Database, stored: string | null): Json {
  if (stored === null) return null;
  if (!stored.startsWith(reference)) return parsed(stored);
  const hash = stored.slice(reference.length);
  const found = db.get('select content from blobs where hash = ?', hash);
  if (found === undefined)
    throw new Error(`the stored value ${hash.slice(0, 12)} is missing from ${db.path}`);
  return parsed(String(found['content']));
}
