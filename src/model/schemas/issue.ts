import type * as z from 'zod';
import { err, ok, type Result } from '../../lib/result.ts';

/** What a schema found wrong, before anybody knows in which line it is. */
export interface Issue {
  readonly path: readonly (string | number)[];
  /** The member that should not be there, where that is the trouble. */
  readonly member: string | undefined;
  readonly message: string;
}

export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Result<z.output<Schema>, readonly Issue[]> {
  const parsed = schema.safeParse(value);
  return parsed.success ? ok(parsed.data) : err(withoutEchoes(parsed.error.issues).map(issueOf));
}

/** A misspelt member is also a missing one: told once, at the place where it can be fixed. */
function withoutEchoes(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const misspelt = issues.filter(({ code }) => code === 'unrecognized_keys');
  return issues.filter((issue) => issue.code !== 'custom' || !misspelt.some((each) => isWithin(issue, each)));
}

function isWithin(inner: z.core.$ZodIssue, outer: z.core.$ZodIssue): boolean {
  return outer.path.every((part, index) => part === inner.path[index]);
}

/** `steps[2].needs: must be …` */
export function issueSentence(issue: Pick<Issue, 'path' | 'message'>): string {
  const where = pathText(issue.path);
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

function issueOf(issue: z.core.$ZodIssue): Issue {
  return {
    // Members of files are texts and positions in lists are numbers; symbols come from no file.
    path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
    member: issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined,
    message: issue.message,
  };
}

function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\w-]+$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}
