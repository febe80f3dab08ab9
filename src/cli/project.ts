import { requiredSession, unknownSession } from '../app/sessions/find.ts';
import { openIfMade, openTutti, type Tutti } from '../app/tutti.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Session } from '../model/session.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { askAboutMoved } from './moved-state.ts';
import { failUnopened, ignoreUntrusted, type Manner, withOpened } from './read-project.ts';

export { chosenRun, type Manner, withOpened } from './read-project.ts';

export type Work = (tutti: Tutti) => Outcome | Promise<Outcome>;

/** Opens the project for one command, and mentions what nobody looks after. */
export async function withProject(context: Context, manner: Manner, work: Work): Promise<Outcome> {
  const { folder, env, caller } = context;
  const { despiteConfig = false } = manner;
  await askAboutMoved(context, manner);
  const onIgnored = ignoring(context, manner);
  const opened = openTutti({ folder, env, caller, create: false, despiteConfig, onIgnored });
  return opened.ok
    ? withOpened(context, manner, opened.value, work)
    : failUnopened(context, manner, opened.error);
}

function ignoring(context: Context, { json, withoutUntrusted = context.reads }: Manner) {
  return withoutUntrusted === true ? ignoreUntrusted(context, json) : undefined;
}

/** The same where a folder without state is no mistake; `none` answers there. */
export async function withProjectIfMade(
  context: Context,
  manner: Manner,
  none: () => Outcome | Promise<Outcome>,
  work: Work,
): Promise<Outcome> {
  const { folder, env, caller } = context;
  const { despiteConfig = false } = manner;
  await askAboutMoved(context, manner);
  const opened = openIfMade({ folder, env, caller, despiteConfig, onIgnored: ignoring(context, manner) });
  if (!opened.ok) return failUnopened(context, manner, opened.error);
  return opened.value === null ? none() : withOpened(context, manner, opened.value, work);
}

/** Opens the project for a command that begins something, and makes it if need be. The person was asked about it before. */
export async function withNewProject(context: Context, manner: Manner, work: Work): Promise<Outcome> {
  const { folder, env, caller } = context;
  const opened = openTutti({ folder, env, caller, create: true });
  return opened.ok
    ? withOpened(context, manner, opened.value, work)
    : fail(context, opened.error, manner.json);
}

/** Looks into a project before a person is asked about it; undefined where there is none to look into. */
export async function lookInto<T>(
  { folder, env, caller }: Pick<Context, 'folder' | 'env' | 'caller'>,
  read: (tutti: Tutti) => Promise<T>,
): Promise<T | undefined> {
  const opened = openTutti({ folder, env, caller, create: false, despiteConfig: true });
  if (!opened.ok) return undefined;
  using tutti = opened.value;
  return await read(tutti);
}

/** Opens the project for a command about one session, by its id, the beginning of its id, or `last`. */
export function withSession(
  context: Context,
  manner: Manner,
  name: string,
  work: (tutti: Tutti, session: Session) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { json } = manner;
  const none = (): Outcome => fail(context, unknownSession(name), json);
  return withProjectIfMade(context, manner, none, async (tutti) => {
    const found = await requiredSession(tutti, name);
    return found.ok ? work(tutti, found.value) : fail(context, found.error, json);
  });
}
