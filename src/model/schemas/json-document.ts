import type * as z from 'zod';
import { err, type Result } from '../../lib/result.ts';
import { isObject, type Json } from '../../lib/json.ts';
import { codeFrame, quoted } from './code-frame.ts';
import { check, type Issue, issueSentence } from './issue.ts';
import { jsonFault } from './json-fault.ts';
import { parseJson } from './json-text.ts';
import { nearest } from './nearest.ts';
import { type Problem, problemOf } from './problem.ts';
import { parseYaml } from './yaml-document.ts';

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
  return err(
    located(
      text,
      file,
      checked.error.map((issue) => withMeant(issue, json.value)),
    ),
  );
}

/** The same issues with their places in the file. JSON is YAML too, and that reader knows where everything stands. */
export function located(
  text: string,
  file: string,
  issues: readonly Pick<Issue, 'path' | 'message'>[],
): readonly Problem[] {
  const document = parseYaml(text, file);
  return issues.map(({ path, message }) =>
    document.ok
      ? document.value.problemAt({ path, member: undefined, message })
      : problemOf(file, issueSentence({ path, message })),
  );
}

function notJson(text: string, file: string, message: string): Problem {
  const offset = jsonFault(text);
  // Nested too deep is JSON all the same.
  if (offset === null) return problemOf(file, message);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const found =
    offset === text.length ? 'it ends too early' : `unexpected ${quoted(text.slice(offset, offset + 1))}`;
  return {
    file,
    line,
    column,
    message: `is not JSON: ${found} at byte ${Buffer.byteLength(before)}`,
    frame: codeFrame(text, line, column),
  };
}

/** A member that is missing is often there under a name that was misspelt. */
function withMeant(issue: Issue, value: Json): Issue {
  const name = issue.path.at(-1);
  if (issue.message !== 'is missing' || typeof name !== 'string') return issue;
  const around = issue.path.slice(0, -1).reduce<Json | undefined>(memberOf, value);
  const meant = isObject(around) ? nearest(name, Object.keys(around)) : null;
  return meant === null ? issue : { ...issue, message: `is missing; there is ${quoted(meant)}` };
}

function memberOf(value: Json | undefined, part: string | number): Json | undefined {
  return isObject(value) || Array.isArray(value)
    ? new Map(Object.entries(value)).get(String(part))
    : undefined;
}
