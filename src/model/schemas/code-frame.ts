import { oneLine, terminalText } from '../../lib/terminal-text.ts';

const widest = 120;

/** One line of a file with a caret under the column, safe to print: the file may be anybody's. */
export function codeFrame(text: string, line: number, column: number): string {
  const source = text
    .split('\n')
    .slice(line - 1, line)
    .join('');
  const start = Math.max(0, column - 1 - widest / 2);
  const number = String(line);
  const before = shown(source.slice(start, column - 1));
  const rest = shown(source.slice(column - 1, start + widest));
  return `${number} | ${before}${rest}\n${' '.repeat(number.length)} | ${' '.repeat(before.length)}^`;
}

/** Text from a file, inside a sentence. */
export function quoted(text: string): string {
  return JSON.stringify(oneLine(text, 60));
}

function shown(text: string): string {
  return terminalText(text).replaceAll('\t', ' ');
}
