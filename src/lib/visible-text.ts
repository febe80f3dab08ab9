import { shellWord } from './shell-word.ts';

/**
 * What a terminal does not show as it is: line breaks, control characters, everything invisible or bidirectional, blanks other
 * than a space, and so many spaces that what follows could look like another line.
 */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}| {9,}/u;
const escaped = new RegExp(`[\\\\']|${unseen.source}`, 'gu');

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** A text as one word of a shell, for a person who decides about it: what a terminal would hide is escaped as in `$'a\nb'`. */
export function visibleWord(text: string): string {
  return unseen.test(text) ? dollarQuoted(text) : shellWord(text);
}

/** A line that was written as it is, such as a command: only one that does not show what it is becomes a quoted word. */
export function visibleLine(text: string): string {
  const isPlain = !unseen.test(text) && text === text.trim() && !text.startsWith("$'");
  return isPlain ? text : dollarQuoted(text);
}

function dollarQuoted(text: string): string {
  return `$'${text.replaceAll(escaped, (found) => Array.from(found, escape).join(''))}'`;
}

function escape(character: string): string {
  if (character === '\\' || character === "'") return `\\${character}`;
  const code = Number(character.codePointAt(0));
  const digits = code.toString(16).toUpperCase();
  if (code > 0xffff) return `\\U${digits.padStart(8, '0')}`;
  return (
    named[character] ?? (code > 0x7f ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`)
  );
}

/** The beginning of what a person decides about. A cut says how much is missing, outside of the quotes. */
export function cutText(text: string, max: number, show: (text: string) => string): string {
  const rest = text.length - max;
  if (rest <= 0) return show(text);
  return `${show(text.slice(0, max))}… ${rest.toLocaleString('en-US')} more characters`;
}
