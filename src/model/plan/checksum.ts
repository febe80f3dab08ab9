import { contentAddress } from '../../lib/digest.ts';

/** Agents give the SHA-256 of a file as `sha256sum` prints it, or its first 16 digits or more, as Tutti does. */
export function isChecksumOf(given: string, ...contents: readonly string[]): boolean {
  const digits = given.toLowerCase().replace(/^sha-?256:/, '');
  return (
    /^[0-9a-f]{16,64}$/.test(digits) && contents.some((content) => contentAddress(content).startsWith(digits))
  );
}
