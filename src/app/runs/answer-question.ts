import { isSafeId } from '../../lib/ids.ts';
import { recorded } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Decision } from '../../model/decision.ts';
import { stepIdOf } from '../../model/key.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import {
  chooseAnswer,
  firstAnswer,
  isApproval,
  type OpenQuestion,
  questionNumber,
} from '../../model/question.ts';
import type { Run } from '../../model/run.ts';
import type { SessionSpec } from '../../model/turn.ts';
import type { KnownQuestion } from '../../model/ports/queries.ts';
import { type Decided, permitDecision, type Permitted } from '../people/decide.ts';
import { faultOfOrphaned } from '../recovery/orphaned-attempts.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { lookForRequests } from '../host/request-watch.ts';
import type { Tutti } from '../tutti.ts';
import { answerRequest } from './answer-request.ts';
import { callConductor, describeConductor, findSilentConductor, hasConductor } from './ensure-conductor.ts';
import { findSilentHolder, isAdvancing, keptWith } from '../status/living-holder.ts';
import { forgetBeforeAnswer } from './once-only.ts';
import { refuseUnrecorded } from './stop-run.ts';
import { refuseWithdrawn } from './withdraw-questions.ts';
import { familyOf } from '../../model/family.ts';

export interface Answered {
  readonly runId: string;
  readonly key: string;
  /** What happens next: a process already advances the run, a conductor was started for it, its session continues, or a command
   * must continue the run first. */
  readonly next: 'held' | 'conductor' | 'session' | 'later';
  /** For `later`: why the run does not continue now, and the command that continues it. */
  readonly rest: Rest | null;
  /** As it is recorded: the option that was chosen. */
  readonly text: string;
}

interface Rest {
  readonly why: string;
  readonly command: string;
}

type AskedQuestion = OpenQuestion & Partial<Pick<KnownQuestion, 'closed' | 'answer' | 'answeredBy'>>;

/**
 * Answers a question of the inbox, named `Q7` or `RUN/KEY`, for a person. The first answer wins. `distrust`: why a conductor
 * would refuse to start; null: it would not.
 */
export async function answerQuestion(
  tutti: Tutti,
  question: string,
  text: string,
  distrust: string | null = null,
): Promise<Result<Answered, Refusal>> {
  const known = (await findQuestion(tutti, question)) ?? (await findUnrecorded(tutti, question));
  if (known === null) {
    const message = `there is no question '${question.slice(0, 80)}'`;
    return err(refusal('USAGE', message, 'see what is open: tutti inbox'));
  }
  const { runId, key } = known;
  const unrecorded = await refuseKept(tutti, known);
  if (unrecorded !== null) return err(unrecorded);
  const permitted = await permitAnswer(tutti, known, text);
  if (!permitted.ok) return permitted;
  const asking = known.asker === null ? await tutti.queries.run(runId) : null;
  if (asking !== null && restOf(asking) === null) await forgetBeforeAnswer(tutti, asking);
  const answered = await recordAnswer(tutti, known, permitted.value.text, permitted.value);
  if (!answered.ok) return answered;
  const run = await tutti.queries.run(runId);
  const rest = known.asker !== null || run === null ? null : await findRest(tutti, run, distrust);
  if (rest !== null) return ok({ runId, key, next: 'later', rest, text: answered.value });
  const next = known.asker !== null ? 'session' : (await isAdvancing(tutti, runId)) ? 'held' : 'conductor';
  // A session continues by itself; what comes after it does not.
  if (!(await isAdvancing(tutti, runId))) await callConductor(tutti, [runId]);
  return ok({ runId, key, next, rest: null, text: answered.value });
}

/** A stop that is kept is recorded before the answer: a conductor must not continue the run in between. */
async function refuseKept(tutti: Tutti, { id, runId }: AskedQuestion): Promise<Refusal | null> {
  const run = await tutti.queries.run(runId);
  return run === null || (await keptWith(tutti, run)) === null
    ? null
    : refuseUnrecorded(tutti, runId, `tutti answer ${id} TEXT`);
}

/** Null: the run continues without another word. */
async function findRest(tutti: Tutti, run: Run, distrust: string | null): Promise<Rest | null> {
  const rest = restOf(run);
  if (rest !== null) return rest;
  const resume = `tutti resume ${run.id}`;
  const silent = await findSilentHolder(tutti, run);
  if (silent !== null)
    return {
      why: `run ${run.id} is held by process ${silent.pid}, which does not respond,`,
      command: resume,
    };
  if (await isAdvancing(tutti, run.id)) return null;
  const orphaned = await faultOfOrphaned(tutti, run.id);
  if (orphaned !== null)
    return { why: `${orphaned.message}; the run waits`, command: `tutti stop ${run.id} && ${resume}` };
  const conductor = await findSilentConductor(tutti);
  if (conductor?.known === 'suspended')
    return { why: `run ${run.id} waits, because ${describeConductor(conductor)},`, command: resume };
  if (distrust === null || (await hasConductor(tutti))) return null;
  return { why: `run ${run.id} waits, because ${distrust},`, command: `tutti trust && ${resume}` };
}

/** The same, as far as the state of the run says it. */
function restOf(run: Run): Rest | null {
  const { id, state, cancelled } = run;
  const command = `tutti resume ${id}`;
  if (state.at === 'halting' || state.at === 'halted') return { why: `run ${id} is ${state.at}`, command };
  if (cancelled && (state.at !== 'ended' || state.outcome === 'INTERRUPTED'))
    return { why: `run ${id} is stopped`, command };
  if (state.at !== 'ended') return null;
  const plan = familyOf(run).hasTasks && state.outcome !== 'INTERRUPTED' ? planOfRunId(id) : null;
  return plan === null
    ? { why: `run ${id} has ended`, command }
    : { why: 'its step was left out this time', command: `tutti execute --plan ${plan}` };
}

/** Records the answer to a question that the caller was shown; returns the option that was chosen. */
export async function answerKnown(
  tutti: Tutti,
  known: AskedQuestion,
  text: string,
): Promise<Result<string, Refusal>> {
  const permitted = await permitAnswer(tutti, known, text);
  return permitted.ok ? recordAnswer(tutti, known, permitted.value.text, permitted.value) : permitted;
}

interface PermittedAnswer extends Permitted {
  /** The option that was chosen. */
  readonly text: string;
}

async function permitAnswer(
  tutti: Tutti,
  known: AskedQuestion,
  text: string,
): Promise<Result<PermittedAnswer, Refusal>> {
  // Before the options: they help with an open question only.
  const { answer = null, answeredBy = null } = known;
  const said = firstAnswer({ id: known.id, answer, answeredBy });
  if (said !== null) return err(refuseLate(said, known));
  if (known.closed === true && known.asker === null) return err(await refuseWithdrawn(tutti, known));
  const chosen = chooseAnswer(known.question, text);
  if (!chosen.ok)
    return err(refusal('USAGE', `${known.id}: ${chosen.error}`, 'see the options: tutti inbox'));
  const about = `question ${known.id} of run ${known.runId}`;
  const permitted = await permitDecision(tutti, decisionOn(known), about);
  return permitted.ok ? ok({ ...permitted.value, text: chosen.value }) : permitted;
}

/** Records what was decided, in whatever way, as the answer to a question that asks for it; only the first is told to the audit. */
export async function recordAnswer(
  tutti: Tutti,
  known: AskedQuestion,
  text: string,
  { by, made }: Decided & Partial<Permitted>,
): Promise<Result<string, Refusal>> {
  const { id, runId, key, question, asker, closed = false } = known;
  const given = { text, by, at: tutti.clock.wall() };
  if (asker !== null) {
    const said = await answerRequest(tutti, { id, question, closed, asker }, given, made);
    return said.ok ? ok(text) : said;
  }
  if (await tutti.store.answer(runId, key, given, made)) return ok(text);
  return err((await refuseAnswered(tutti, known)) ?? (await refuseWithdrawn(tutti, known)));
}

/** Whoever was shown a question may find it answered when they decide; null: it has no answer. */
export async function refuseAnswered(
  { queries }: Pick<Tutti, 'queries'>,
  { runId, key }: Pick<OpenQuestion, 'runId' | 'key'>,
): Promise<Refusal | null> {
  const now = await queries.questionAt(runId, key);
  const said = now === null ? null : firstAnswer(now);
  return said === null ? null : refuseLate(said, { runId, asker: null });
}

function refuseLate(said: string, { runId, asker }: Pick<OpenQuestion, 'runId' | 'asker'>): Refusal {
  const look = asker === null ? `tutti status ${runId}` : `tutti session status ${asker.session}`;
  return refusal('FAILURE', said, `see what came of it: ${look}`);
}

/** A question can ask for a decision that has a command of its own: who may only answer may not approve. */
function decisionOn(known: AskedQuestion): Decision {
  if (isApproval(known)) return 'approve';
  return stepIdOf(known.key).endsWith('/widen') ? 'widen' : 'answer';
}

/** What a session asks while no process advances its run is shown by its key, and recorded when it is answered. */
async function findUnrecorded(tutti: Tutti, question: string): Promise<KnownQuestion | null> {
  if (!question.includes('/')) return null;
  await noteRequests(tutti);
  return findQuestion(tutti, question);
}

/** Records what sessions ask people while no process advances their run; a process that advances a run records it at once. */
export async function noteRequests(tutti: Tutti): Promise<void> {
  for (const { session, entry } of await tutti.queries.sessions.launched()) {
    if (await isAdvancing(tutti, session.runId)) continue;
    await lookForRequests(tutti, session.id, recorded<SessionSpec>(entry.spec));
  }
}

async function findQuestion({ queries }: Tutti, question: string): Promise<KnownQuestion | null> {
  const number = questionNumber(question);
  if (number !== null) return queries.question(number);
  const slash = question.indexOf('/');
  const runId = question.slice(0, Math.max(0, slash));
  return isSafeId(runId) ? queries.questionAt(runId, question.slice(slash + 1)) : null;
}
