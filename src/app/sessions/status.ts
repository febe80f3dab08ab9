import { join } from 'node:path';
import { recorded } from '../../lib/json.ts';
import type { Activity } from '../../model/activity.ts';
import type { SessionInput } from '../../model/session-input.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { readStart } from '../../runtime/attempt-files.ts';
import { attemptProcesses } from '../../runtime/living-attempts.ts';
import type { Move } from '../../workspace/guard-record.ts';
import { markOf } from '../host/attempt-folder.ts';
import { tmuxName } from '../host/session-files.ts';
import { digestFile, resultRead } from '../host/step-result.ts';
import { findOpenQuestions } from '../status/open-questions.ts';
import type { Tutti } from '../tutti.ts';
import { activityNow, activityWords, withQuestion } from './activity.ts';
import { isOwnRun, latestSession } from './find.ts';
import { whyNoRetry } from './no-retry.ts';
import { awaitedAnswer, questionOf, type SessionQuestion } from './session-question.ts';
import { type Conversation, conversationOf } from './conversation.ts';
import { sessionFolder } from '../host/session-folder.ts';
import { putAsideJson, putAsideOf } from '../host/shown-put-aside.ts';
import { elapsedMs, sessionRowJson } from './session-row.ts';
import { accountOf, type TurnAccount } from './turn-account.ts';
import type { Output } from '../../model/schemas/published.ts';

/** A session with everything that is known about it now. */
export interface SessionView {
  readonly session: Session;
  readonly activity: Activity;
  readonly elapsedMs: number;
  /** Its handoff directory; null when it was pruned. */
  readonly folder: string | null;
  readonly tmuxName: string | null;
  /** What was asked of it; null where nothing is left that tells. */
  readonly spec: SessionSpec | null;
  readonly after: readonly string[];
  /** The session that tries again what this one failed at. */
  readonly retriedAs: string | null;
  /** What its agent asked, in its result or while it works, and no person has answered yet. */
  readonly question: SessionQuestion | null;
  /** Why no further retry was made. */
  readonly noRetry: string | null;
  /** What it gave back; null while it runs. */
  readonly account: TurnAccount | null;
  readonly conversation: Conversation | null;
  readonly pid: number | null;
  /** Processes that it left behind when it ended. */
  readonly leftProcesses: readonly number[];
  /** What it made that can start programs outside its sandbox, and where that is now. */
  readonly putAside: readonly Move[];
  /** Where its result is or will be; null: it was pruned, or what lies there is not what Tutti read when its turn ended. */
  readonly resultFile: string | null;
}

export async function sessionView(tutti: Tutti, session: Session): Promise<SessionView> {
  const { paths, config, clock, queries } = tutti;
  const folder = sessionFolder(paths, session);
  const start = folder === null ? null : readStart(folder);
  const latest = await latestSession(tutti, session);
  const input = (await isOwnRun(tutti, session))
    ? recorded<SessionInput>(await queries.input(session.runId))
    : null;
  const awaited = await awaitedAnswer(tutti, session, await findOpenQuestions(tutti, session.runId));
  return {
    session,
    activity: withQuestion(activityNow(tutti, session, 'look'), awaited),
    elapsedMs: elapsedMs(session, clock.wall()),
    folder,
    tmuxName: session.host === 'headless' ? null : tmuxName(config.tmux, session.id),
    spec: (await queries.spec(session.runId, session.key)) ?? input?.spec ?? null,
    after: input?.after ?? [],
    retriedAs: latest.id === session.id ? null : latest.id,
    question: awaited ?? (await questionOf(tutti, session)),
    noRetry: await whyNoRetry(tutti, session),
    account: await accountOf(tutti, session),
    conversation: conversationOf(tutti, session),
    // A number that the system may have given to another process since names nothing.
    pid: start?.kind === 'started' && !isTerminal(session.status) ? start.launcher.pid : null,
    leftProcesses: isTerminal(session.status) ? attemptProcesses(markOf(tutti, session)) : [],
    putAside: putAsideOf(paths, session),
    resultFile: folder === null ? null : await findResultFile(tutti, session, folder),
  };
}

/** A process that the turn left can write to that path whenever it likes: only what was read counts. */
async function findResultFile({ queries }: Tutti, session: Session, folder: string): Promise<string | null> {
  const path = join(folder, 'result.json');
  if (!isTerminal(session.status)) return path;
  const read = resultRead(await queries.entries(session.runId), session);
  return read === undefined || (read !== null && digestFile(path) === read) ? path : null;
}

/** The published form of `tutti session status --json`. */
export function sessionJson(
  view: SessionView,
  tmuxActive: boolean,
): Omit<Output<'session-status'>, 'message' | 'limits'> {
  const { session, folder, spec, after, retriedAs, noRetry, conversation, pid } = view;
  return {
    ...sessionRowJson(session),
    ...activityWords(view.activity),
    elapsed_seconds: Math.floor(view.elapsedMs / 1000),
    tmux_session: view.tmuxName,
    tmux_active: tmuxActive,
    workspace: folder,
    task_prompt_file: folder === null ? null : join(folder, 'prompt.md'),
    result_file: view.resultFile,
    cwd: spec?.workspace ?? null,
    add_dirs: spec?.handoff.addDirs ?? [],
    metadata: {
      max_duration_seconds: spec === null ? null : Math.round(spec.timeoutMs / 1000),
      priority: 'normal',
    },
    after,
    retried_as: retriedAs,
    question: view.question?.id ?? null,
    no_retry: noRetry,
    summary: view.account?.summary ?? null,
    tool_calls: view.account?.toolCalls ?? null,
    conversation: conversation?.id ?? null,
    resume_command: conversation?.resume ?? null,
    pid,
    left_processes: view.leftProcesses,
    put_aside: putAsideJson(view.putAside),
    depth: session.depth,
  };
}
