import { existsSync } from 'node:fs';
import { err, type Result } from '../../lib/result.ts';
import { familyOf } from '../../model/family.ts';
import { rootStepOf } from '../../model/key.ts';
import { outlinesByName } from '../../model/outline.ts';
import { isOver, type Run } from '../../model/run.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { driverOfSession, takesInput } from '../host/reader.ts';
import { setAsideLateResults } from '../host/late-result.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { conversationOf } from '../sessions/conversation.ts';
import { type Created, startRequested } from './create.ts';
import { isOwnRun, latestSession, requiredSession } from '../sessions/find.ts';
import { type Origin, originOfAgents } from '../sessions/origin.ts';
import { distrusted, readyToRun } from './request.ts';
import { runStatus } from '../status/run-status.ts';
import { nameQuestion, questionOf, unanswered } from '../sessions/session-question.ts';
import { recordEnded } from '../sessions/record-ended.ts';

export interface ContinueRequest {
  readonly id: string;
  readonly text: string;
  readonly maxDurationMs: number | null;
}

/** Says something more to an agent whose session is over: a new session in the same conversation. */
export async function continueSession(
  tutti: Tutti,
  request: ContinueRequest,
): Promise<Result<Created, Refusal>> {
  await recordEnded(tutti);
  const found = await requiredSession(tutti, request.id);
  if (!found.ok) return found;
  // After a retry, the conversation that people mean is the last one.
  const session = await latestSession(tutti, found.value);
  await setAsideLateResults(tutti, session.runId);
  const spec = await tutti.queries.spec(session.runId, session.key);
  const wrong = (await whyNotContinued(tutti, session, spec)) ?? textProblem(request.text);
  if (wrong !== null) return err(wrong);
  if (spec === null) return err(unknownTask(session));
  const ready = readyToRun(tutti, spec.agent, spec, spec.handoff.host);
  if (!ready.ok) return ready;
  const distrust = distrusted(tutti, spec.driver, spec.workspace);
  if (distrust !== null)
    return err(refusal('UNAVAILABLE', distrust, 'see what it brings: tutti trust --show'));
  const origin = await originOfAgents(tutti, spec.agent);
  if (!origin.ok) return origin;
  const next = nextTurn(tutti, session, spec, { request, origin: origin.value });
  return startRequested(tutti, { spec: next, after: [], retryMax: 0 }, origin.value);
}

function nextTurn(
  tutti: Tutti,
  session: Session,
  before: SessionSpec,
  { request, origin }: { readonly request: ContinueRequest; readonly origin: Origin },
): SessionSpec {
  const { host, addDirs, tags, resultSchema } = before.handoff;
  const { goesOn: _, news: _news, ...spec } = before;
  return {
    ...spec,
    prompt: request.text,
    turn: session.turn + 1,
    continues: session.id,
    conversation: conversationOf(tutti, session)?.id ?? null,
    timeoutMs: request.maxDurationMs ?? tutti.config.sessionTimeoutMs,
    priority: 0,
    // Not its environment: a plan's own variables are for the plan's own turns.
    handoff: { host, addDirs, tags, resultSchema, parent: origin.parent, requester: origin.requester },
  };
}

async function whyNotContinued(
  tutti: Tutti,
  session: Session,
  spec: SessionSpec | null,
): Promise<Refusal | null> {
  const { id, driver, agent } = session;
  const run = await tutti.queries.run(session.runId);
  const works =
    !isTerminal(session.status) || ((await isOwnRun(tutti, session)) && run !== null && !isOver(run.state));
  const question = await questionOf(tutti, session);
  if (works && question !== null) return unanswered(id, question);
  if (works) {
    const next = takesInput(tutti, session)
      ? `say it now: tutti session send ${id} TEXT`
      : `wait for it: tutti session wait ${id}`;
    return refusal('USAGE', `session ${id} has not ended yet`, next);
  }
  const owned = await refuseOwned(tutti, session);
  if (owned !== null) return owned;
  const anew = `start a new one: tutti session create ${agent} PROMPT-FILE`;
  if (driverOfSession(tutti, session)?.resumes !== true) {
    return refusal('UNAVAILABLE', `driver ${driver} cannot continue a conversation`, anew);
  }
  if (conversationOf(tutti, session) === null) {
    return refusal('UNAVAILABLE', `session ${id} ended before its CLI named a conversation`, anew);
  }
  if (spec !== null && !existsSync(spec.workspace)) {
    return refusal('UNAVAILABLE', `the folder that session ${id} worked in is gone: ${spec.workspace}`, anew);
  }
  return null;
}

/**
 * A step of a run that has not ended keeps its folder: a second agent there would do its work again, or change what is to be
 * judged. It keeps also what a person continued while the run had ended, and every later session of that conversation.
 */
async function refuseOwned(tutti: Tutti, session: Session): Promise<Refusal | null> {
  const { queries } = tutti;
  let part: Session | null = session;
  while (part !== null) {
    const run: Run | null = await queries.run(part.runId);
    if (run !== null && !familyOf(run).isSession && run.state.at !== 'ended') {
      const step = rootStepOf(part.key);
      const state = run.state.at === 'running' ? 'not over' : run.state.at;
      const message = `session ${session.id} belongs to ${step} of run ${run.id}, which is ${state}`;
      const [outcome, next] = await whatContinues(tutti, run, step);
      return refusal(outcome, message, next);
    }
    part = part.continues === null ? null : await queries.sessions.one(part.continues);
  }
  return null;
}

/** The command that brings a step of a run forward. */
async function whatContinues(
  tutti: Tutti,
  { id }: Run,
  step: string,
): Promise<readonly ['HUMAN_INPUT' | 'USAGE', string]> {
  const status = await runStatus(tutti, outlinesByName, id);
  const questions = status?.questions ?? [];
  const own = questions.find(({ key, question }) => (question.step ?? rootStepOf(key)) === step);
  const asked = own ?? (status?.state === 'waiting' ? questions[0] : undefined);
  if (asked !== undefined) return ['HUMAN_INPUT', `answer what it asks: ${nameQuestion(asked).answer}`];
  const isAdvanced = (status?.drivenBy ?? null) !== null;
  return [
    'USAGE',
    isAdvanced ? `see what it does: tutti status ${id}` : `continue the run: tutti resume ${id}`,
  ];
}

function textProblem(text: string): Refusal | null {
  const hint = 'give it as TEXT, or pipe it in with -';
  if (text.trim() === '') return refusal('USAGE', 'a message cannot be empty', hint);
  return text.includes('\0') ? refusal('USAGE', 'a message may not contain NUL', hint) : null;
}

function unknownTask({ id, agent }: Session): Refusal {
  const message = `nothing is left that says how session ${id} was started`;
  return refusal('UNAVAILABLE', message, `start a new one: tutti session create ${agent} PROMPT-FILE`);
}
