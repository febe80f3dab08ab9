import * as z from 'zod';
import { parseBytes } from '../../lib/bytes.ts';
import { parseDurationMs } from '../../lib/duration.ts';
import { isSafeName } from '../../lib/ids.ts';
import { quoted } from './code-frame.ts';
import { nearest } from '../../lib/nearest.ts';

/*
 * The few shapes that all files of people and agents are made of. Each says in one sentence what it wants, so that a
 * mistake reads the same wherever it is made.
 */

const longestMs = 3650 * 86_400_000;

/** An object with these members and no others. */
export function members<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownMembers(issue.keys, known)
        : sentence(issue.input, `a mapping with ${known.filter((name) => name !== '$schema').join(', ')}`),
  });
}

/** Text that can become an argument, a path or a prompt: what a process cannot be given is refused here. */
export function text(what = 'text (in quotes, if it looks like something else)'): z.ZodString {
  return z
    .string(wanted(what))
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'may not contain NUL or broken UTF-16');
}

export function filledText(what = 'text that is not empty'): z.ZodString {
  return text(what).min(1, `must be ${what}`);
}

export function safeName(): z.ZodString {
  const what = 'a name of letters, digits, "_" and "-", at most 64, that starts with a letter or digit';
  return z
    .string(wanted(what))
    .refine(isSafeName, `must be ${what}`)
    .meta({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' });
}

/** A path below a directory: relative, and never up and out. Links are looked at where the path is used. */
export function pathBelow(what: string): z.ZodString {
  return filledText().refine((path) => staysBelow(path), `must be a path below ${what}, without ".."`);
}

export function argv(): z.ZodTuple<[z.ZodString], z.ZodString> {
  return z.tuple(
    [filledText('the name of a program')],
    text(),
    wanted('a program and its arguments, as a list of texts'),
  );
}

export function list<Item extends z.ZodType>(item: Item, what: string): z.ZodArray<Item> {
  return z.array(item, wanted(what));
}

export function oneOf<const Values extends readonly string[]>(
  values: Values,
): z.ZodEnum<{ [Value in Values[number]]: Value }> {
  return z.enum(values, wanted(`one of ${values.join(', ')}`));
}

export function wholeNumber(min: number, max: number): z.ZodNumber {
  const what = `a whole number from ${min} to ${max}`;
  return z
    .number(wanted(what))
    .int(`must be ${what}`)
    .min(min, `must be ${what}`)
    .max(max, `must be ${what}`);
}

export function positiveAmount(): z.ZodNumber {
  const what = 'a number greater than 0';
  return z.number(wanted(what)).gt(0, `must be ${what}`);
}

export function countOrNull(): z.ZodNullable<z.ZodNumber> {
  const what = 'a number that is not negative';
  return z.number(wanted(what)).min(0, `must be ${what}`).nullable();
}

export function yesOrNo(): z.ZodBoolean {
  return z.boolean(wanted('true or false'));
}

export const jsonSchemaLink = z.string(wanted('the address of a JSON Schema')).optional();

const durationWords = 'a duration such as "90s", "10m" or "1h30m", longer than 0 and at most 3650 days';

/** `"10m"`, or a bare number of seconds; becomes milliseconds. */
export const duration = z
  .union([z.string(), z.number()], wanted(durationWords))
  .transform((value, context) => {
    const parsedMs = parseDurationMs(String(value));
    if (parsedMs !== null && parsedMs >= 1 && parsedMs <= longestMs) return parsedMs;
    context.addIssue({ code: 'custom', message: `must be ${durationWords}` });
    return z.NEVER;
  });

const bytesWords = 'an amount such as "64KB", "500MB" or "2GB", at least 4KB';

/** `"500MB"`, or a bare number of bytes. */
export const bytes = z.union([z.string(), z.number()], wanted(bytesWords)).transform((value, context) => {
  const parsed = parseBytes(String(value));
  if (parsed !== null && parsed >= 4096) return parsed;
  context.addIssue({ code: 'custom', message: `must be ${bytesWords}` });
  return z.NEVER;
});

/** Without the members that are not there, as `exactOptionalPropertyTypes` wants it. */
export function present<T extends object>(value: T): { [Name in keyof T]?: Exclude<T[Name], undefined> };
export function present(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

function staysBelow(path: string): boolean {
  return !path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\0');
}

export function wanted(what: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: (issue) => sentence(issue.input, what) };
}

function sentence(input: unknown, what: string): string {
  return input === undefined ? 'is missing' : `must be ${what}`;
}

function unknownMembers(found: readonly string[], known: readonly string[]): string {
  const described = found.map((name) => {
    const meant = nearest(name, known);
    return meant === null ? quoted(name) : `${quoted(name)} (did you mean "${meant}"?)`;
  });
  return `unknown member ${described.join(', ')}; known are ${known.join(', ')}`;
}
