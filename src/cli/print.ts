import type { Context } from './context.ts';

type Writing = Pick<Context, 'process'>;

export function printLines(context: Writing, lines: readonly string[]): void {
  if (lines.length > 0) context.process.stdout.write(`${lines.join('\n')}\n`);
}

/**
 * One value on one line, for programs. What a terminal would obey is escaped; the value stays the same. A command whose output has a
 * published schema names it: `printJson<Output<'task-start'>>`.
 */
export function printJson<VALUE extends object = object>(context: Writing, value: NoInfer<VALUE>): void {
  context.process.stdout.write(`${jsonLine(value)}\n`);
}

export function jsonLine(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
