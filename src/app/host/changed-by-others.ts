import { dirname, join, relative } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import { isObject } from '../../lib/json.ts';
import { mayWrite, type WriteScope } from '../../model/compose/write-scope.ts';
import { familyOf } from '../../model/family.ts';
import { rootStepOf } from '../../model/key.ts';
import { anySession } from '../../model/ports/session-queries.ts';
import type { Session } from '../../model/session.ts';
import { endRecordedAt, startRecordedAt } from '../../runtime/attempt-files.ts';
import { factsOf } from '../../workspace/trust-root.ts';
import type { HostParts } from './host-parts.ts';

type Looking = Pick<HostParts, 'paths' | 'queries'>;

/** What an agent writes just before it ends may carry a later time than its end. */
const slackMs = 1000;
/** More are not at work in one folder at the same time. */
const newest = { limit: 200, before: null };

interface Turn {
  readonly from: number;
  /** Null: no end is recorded. */
  readonly until: number | null;
}

/**
 * Which of these files of the project a person or another agent may have changed last: no turn of the step was at work then, such as after a stop, or
 * another agent was too, which may write the file. A file that is gone counts as changed when its folder was.
 */
export async function changedByOthers(
  parts: Looking,
  step: { readonly runId: string; readonly id: string },
  files: readonly string[],
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const { paths, queries } = parts;
  const all = await queries.sessions.list(anySession, newest);
  const own = (await queries.sessions.ofRun(step.runId)).filter(
    ({ key }) => rootStepOf(key) === rootStepOf(step.id),
  );
  const turns = own.flatMap((session) => turnOf(parts, session));
  const since = Math.min(...turns.map(({ from }) => from));
  const late = all.filter(({ endedAt }) => endedAt === null || endedAt >= since);
  const others = await findOthers(parts, step.runId, own, late);
  return files.filter((path) => {
    const at = lastChange(join(paths.root, path));
    if (!turns.some((turn) => isIn(turn, at, slackMs))) return true;
    return others.some(({ turn, scope }) => isIn(turn, at, 0) && mayWrite(scope, path));
  });
}

function isIn({ from, until }: Turn, at: number, slack: number): boolean {
  return at >= from && (until === null || at <= until + slack);
}

/** Of a file's content, name or rights: no program can set this time. Cut like the times of turns. */
function lastChange(path: string): number {
  const facts = factsOf(path);
  return facts === null ? lastChange(dirname(path)) : Math.floor(facts.ctimeMs);
}

function turnOf({ paths }: Pick<Looking, 'paths'>, { id }: Session): readonly Turn[] {
  const from = startRecordedAt(paths.session(id));
  return from === null ? [] : [{ from, until: endRecordedAt(paths.session(id)) }];
}

/**
 * Agents of other runs in the folder of the project. The caller of this one waits for it, and calls that it makes are its own doing.
 * Steps of the same run know each other's scopes.
 */
async function findOthers(
  parts: Looking,
  runId: string,
  own: readonly Session[],
  all: readonly Session[],
): Promise<readonly { readonly turn: Turn; readonly scope: WriteScope }[]> {
  const byId = new Map(all.map((session) => [session.id, session]));
  const ancestors = (session: Session): readonly string[] => {
    const above = session.parent === null ? undefined : byId.get(session.parent);
    return session.parent === null ? [] : [session.parent, ...(above === undefined ? [] : ancestors(above))];
  };
  const mine = new Set(own.map(({ id }) => id));
  const callers = new Set(own.flatMap(ancestors));
  const strangers = all.filter(
    (session) =>
      session.runId !== runId && !callers.has(session.id) && !ancestors(session).some((id) => mine.has(id)),
  );
  const found: { readonly turn: Turn; readonly scope: WriteScope }[] = [];
  for (const session of strangers) {
    const [turn] = turnOf(parts, session);
    const scope = turn === undefined ? null : await scopeOf(parts, session);
    if (turn !== undefined && scope !== null) found.push({ turn, scope });
  }
  return found;
}

/** What an agent may write; null: it works elsewhere. */
async function scopeOf({ paths, queries }: Looking, { runId, key }: Session): Promise<WriteScope | null> {
  const workspace = (await queries.spec(runId, key))?.workspace;
  if (workspace === undefined || !isWithin(paths.root, workspace)) return null;
  const [run, input] = [await queries.run(runId), await queries.input(runId)];
  const writes = run === null || !isObject(input) ? null : familyOf(run).writes(input, rootStepOf(key));
  return { cwd: relative(paths.root, workspace), writes };
}
