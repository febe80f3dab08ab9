import { agentNames } from '../../app/agents/agent-places.ts';
import { openLibrary } from '../../app/compose/compose-library.ts';
import { findPlan, projectOfPlan } from '../../app/plans/find-plan.ts';
import { findProject } from '../../app/project.ts';
import { newestRuns } from '../../app/runs/newest.ts';
import { anySession, liveStatuses } from '../../app/sessions/choose.ts';
import type { Tutti } from '../../app/tutti.ts';
import { composeLayers, type ComposeLayer } from '../../model/compose/layer.ts';
import type { Context } from '../context.ts';
import { lookInto } from '../project.ts';

const most = 200;

export function runIds(context: Context, partial: string): Promise<readonly string[]> {
  return fromProject(context, partial, async (tutti) =>
    (await newestRuns(tutti, { limit: most, sessions: false })).map(({ id }) => id),
  );
}

export function questionIds(context: Context, partial: string): Promise<readonly string[]> {
  return fromProject(context, partial, async ({ queries }) =>
    (await queries.openQuestions()).map(({ id }) => id),
  );
}

export function sessionIds(context: Context, partial: string): Promise<readonly string[]> {
  return fromProject(context, partial, async ({ queries }) =>
    (await queries.sessions.list(anySession, { limit: most, before: null })).map(({ id }) => id),
  );
}

export function liveSessionIds(context: Context, partial: string): Promise<readonly string[]> {
  return fromProject(context, partial, async ({ queries }) =>
    (
      await Promise.all(
        liveStatuses.map((status) =>
          queries.sessions.list({ ...anySession, status }, { limit: most, before: null }),
        ),
      )
    )
      .flat()
      .map(({ id }) => id),
  );
}

/** Of files, not of the database: a folder need not be a project yet. */
export function agentsHere({ folder }: Context, partial: string): readonly string[] {
  return agentNames(findProject(folder)).filter((name) => name.startsWith(partial));
}

/** Names in one layer or in all, of files whether or not they are trusted. */
export function definitionNames(
  { folder }: Context,
  partial: string,
  layer?: ComposeLayer,
): readonly string[] {
  const { names } = openLibrary({ paths: { root: findProject(folder) }, trust: { counts: () => true } });
  const layers = layer === undefined ? composeLayers : [layer];
  return [...new Set(layers.flatMap(names))].filter((name) => name.startsWith(partial)).toSorted();
}

export function planNames(context: Context, partial: string): Promise<readonly string[]> {
  return fromProject(placeOf(context), partial, async ({ queries }) =>
    (await queries.plans.all()).map(({ name }) => name),
  );
}

export function taskIds(context: Context, partial: string): Promise<readonly string[]> {
  return fromProject(placeOf(context), partial, async (tutti) => {
    const found = await findPlan(tutti);
    return found.ok ? (await tutti.queries.plans.nodes(found.value.plan.name)).map(({ id }) => id) : [];
  });
}

function placeOf({ folder, env, caller }: Context) {
  return { folder: projectOfPlan({ folder, env }), env, caller };
}

/** Whatever is wrong with the project, somebody who presses Tab must not be told so. */
async function fromProject(
  place: Pick<Context, 'folder' | 'env' | 'caller'>,
  partial: string,
  read: (tutti: Tutti) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return ((await lookInto(place, read)) ?? []).filter((id) => id.startsWith(partial));
  } catch {
    return [];
  }
}
