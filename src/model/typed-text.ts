import { digestText } from '../lib/digest.ts';

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
  if (text.trim() === '') return 'there is nothing to type';
  const position = [...text].findIndex(isControl);
  if (position < 0) return null;
  const code = codeOf([...text][position] ?? '')
    .toString(16)
    .padStart(4, '0')
    .toUpperCase();
  return `it has the control character U+${code} at position ${position}, which cannot be typed into a terminal`;
}

/** C0 without tab and line ends, DEL, and C1, in which terminals find an ESC of eight bits. */
function isControl(character: string): boolean {
  if (character === '\t' || character === '\n' || character === '\r') return false;
  const code = codeOf(character);
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
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
