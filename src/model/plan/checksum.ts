import { contentAddress, digestText } from '../../lib/digest.ts';

/**
 * The name of a document's content. It must have come through its form, which gives the members in one order: how the file
 * is laid out, and what an agent added to it, do not matter.
 */
export function documentDigest(document: object): string {
  return digestText(JSON.stringify(document));
}

/** Agents give the SHA-256 of a file as `sha256sum` prints it, or its first 16 digits or more, as Tutti does. */
export function isChecksumOf(given: string, content: string): boolean {
  const digits = given.toLowerCase().replace(/^sha-?256:/, '');
  return /^[0-9a-f]{16,64}$/.test(digits) && contentAddress(content).startsWith(digits);
}
