import type * as z from 'zod';
import { isObject, type Json } from '../../lib/json.ts';
import { err, type Result } from '../../lib/result.ts';
import { codeFrame, quoted } from './code-frame.ts';
import { check, type Issue, issueSentence } from './issue.ts';
import { jsonFault } from './json-fault.ts';
import { jsonOffset } from './json-offset.ts';
import { parseJson, unexpectedAt } from './json-text.ts';
import { nearest } from '../../lib/nearest.ts';
import { type Problem, problemOf } from './problem.ts';

type Placed = Pick<Issue, 'path' | 'message' | 'member'>;

/** As many as somebody can read; the rest is counted by whoever shows them. */
export const maxProblems = 50;

/** Reads JSON that an agent wrote into a form; every mistake comes with its line. */
export function readJsonForm<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  file: string,
): Result<z.output<Schema>, readonly Problem[]> {
  const json = parseJson(text);
  if (!json.ok) return err([notJson(text, file, json.error)]);
  const checked = check(schema, json.value);
  if (checked.ok) return checked;
  const issues = checked.error.slice(0, maxProblems + 1).map((issue) => withMeant(issue, json.value));
  return err(located(text, file, issues));
}

/** The same issues with their places in the file. `member` is one that stands beside what is missing. */
export function located(text: string, file: string, issues: readonly Placed[]): readonly Problem[] {
  return issues.map((issue) => {
    const { path, member } = issue;
    const place = member === undefined ? path : [...path.slice(0, -1), member];
    return problemAt(text, file, jsonOffset(text, place), issueSentence(issue));
  });
}

function problemAt(text: string, file: string, offset: number, message: string): Problem {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return { file, line, column, message, frame: codeFrame(text, line, column) };
}

function notJson(text: string, file: string, message: string): Problem {
  const offset = jsonFault(text);
  // Nested too deep is JSON all the same.
  if (offset === null) return problemOf(file, message);
  const found = offset === text.length ? 'it ends too early' : unexpectedAt(text, offset);
  const byte = Buffer.byteLength(text.slice(0, offset));
  return problemAt(text, file, offset, `is not JSON: ${found} at byte ${byte}`);
}

/** A member that is missing is often there under a name that was misspelt. */
function withMeant(issue: Issue, value: Json): Issue {
  const name = issue.path.at(-1);
  if (issue.message !== 'is missing' || typeof name !== 'string') return issue;
  const around = issue.path.slice(0, -1).reduce<Json | undefined>(memberOf, value);
  const meant = isObject(around) ? nearest(name, Object.keys(around)) : null;
  return meant === null
    ? issue
    : { ...issue, member: meant, message: `is missing; there is ${quoted(meant)}` };
}

function memberOf(value: Json | undefined, part: string | number): Json | undefined {
  const members = Object.entries(value ?? {}).find(([name]) => name === String(part));
  return members?.[1];
}
