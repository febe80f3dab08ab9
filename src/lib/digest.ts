import { hash } from 'node:crypto';
import { canonical, type Json } from './json.ts';

/** A short name for content. 16 hex digits: collisions inside one run are out of reach, and keys stay readable. */
export function digest(value: Json): string {
  return digestText(canonical(value));
}

export function digestText(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}

/** The full form, for content-addressed storage. */
export function contentAddress(text: string): string {
  return hash('sha256', text, 'hex');
}
