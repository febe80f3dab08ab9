import { digestText } from '../lib/digest.ts';

/** C0, DEL, and C1, in which terminals find an ESC of eight bits; but not tabs and the ends of lines. */
const control = /[^\P{Cc}\t\n\r]/u;

/** What is pasted: line endings are those of a terminal program, and the bytes of everything else stay. */
export function typedText(text: string): string {
  const unix = text.replaceAll(/\r\n?/g, '\n');
  // A backslash before Enter continues the line in most interfaces, so nothing would be submitted.
  return unix.endsWith('\\') ? `${unix} ` : unix;
}

/**
 * Null, or why a text cannot be pasted faithfully. An ESC is where keys begin: it could end the bracketed paste, and
 * what follows would be typed. Leaving it out would change the text unseen, so it is refused.
 */
export function untypable(text: string): string | null {
  const found = control.exec(text);
  if (found === null) return text.trim() === '' ? 'there is nothing to type' : null;
  const code = found[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase();
  return `it has the control character U+${code} at position ${found.index}, which cannot be typed into a terminal`;
}

/** Interfaces take these first characters for commands of their own; `!` runs a shell command. */
const commandCharacters = new Set(['!', '/', '?', '#', '&', '@', '\\']);

export function beginsLikeCommand(text: string): boolean {
  return commandCharacters.has(text.trimStart().charAt(0));
}

/**
 * Names what was typed, to recognise it when the interface tells what was submitted. Interfaces show a tab as blanks and
 * may cut blanks at both ends; everything else must be the same.
 */
export function typedDigest(text: string): string {
  return digestText(typedText(text).replaceAll('\t', '    ').trim());
}
