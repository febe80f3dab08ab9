import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Queries } from '../../model/ports/queries.ts';
import { isTerminal } from '../../model/session.ts';
import type { HostParts } from './host-parts.ts';
import type { ProjectPaths } from '../project.ts';
import {
  conversationOf,
  digestFile,
  type LateResult,
  resultPath,
  resultRead,
  setAsideLate,
} from './step-result.ts';

interface Places {
  readonly paths: ProjectPaths;
  readonly queries: Pick<Queries, 'entries'> & { readonly sessions: Pick<Queries['sessions'], 'ofRun'> };
}

/** Results of a run that were written after the turn had ended. It only looks. */
export async function findLateResults(places: Places, runId: string): Promise<readonly LateResult[]> {
  const { paths, queries } = places;
  const sessions = await queries.sessions.ofRun(runId);
  const steps = Map.groupBy(sessions, ({ key }) => conversationOf(key));
  const found = [...steps.values()].flatMap((turns) => {
    const session = turns.toSorted((a, b) => a.createdAt - b.createdAt).at(-1);
    // A turn that has not ended may write what it likes.
    if (session === undefined || !turns.every(({ status }) => isTerminal(status))) return [];
    const path = resultPath({ paths }, { runId, key: session.key });
    return existsSync(path) ? [{ session, path }] : [];
  });
  if (found.length === 0) return [];
  const entries = await queries.entries(runId);
  return found.flatMap(({ session, path }) => {
    if (resultRead(entries, session) === undefined) return [];
    const owner = sessions.find(({ id }) => paths.session(id) === dirname(path));
    const read = owner === undefined ? null : resultRead(entries, owner);
    return read === undefined || digestFile(path) === read ? [] : [{ session, path, read }];
  });
}

/** Moves late results of a run into the folders of their sessions, reports them, and puts back what they replaced. */
export async function setAsideLateResults(
  places: Places & { readonly store: Pick<HostParts['store'], 'noteOnce'> },
  runId: string,
): Promise<void> {
  for (const late of await findLateResults(places, runId)) await setAsideLate(places, late);
}
