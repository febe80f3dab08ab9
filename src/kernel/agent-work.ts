import { plain, type Json } from '../lib/json.ts';
import { type Failure, failure as failureOf } from '../model/failure.ts';
import { answersWords, healWords, type LaterWords, withAnswers } from '../model/heal-prompt.ts';
import { keyOf, rootStepOf } from '../model/key.ts';
import { repeatedQuestion } from '../escalation/repeated-question.ts';
import type { Answer, AnsweredQuestion, Question } from '../model/question.ts';
import { beginning, failureOfTurn, type SessionSpec, type Turn, type TurnOutcome } from '../model/turn.ts';
import { StepFailed, type Ctx } from './ctx.ts';
import { mayRetry, type FailedTry } from './retry.ts';
import { sessionThroughLimits } from './through-limits.ts';
import { findTurnKey } from './turn-key.ts';

/** What is wrong with the work of a turn. */
export interface Judgement {
  readonly failure: Failure;
  /** What was judged, in facts and never in words of ours: the key of the healing turn contains it. */
  readonly of: Json;
}

/** One piece of work for one agent, and how it is known to be done. */
export interface AgentWork {
  /** Step id; later turns are its parts: `T001/heal-1`. */
  readonly id: string;
  /** The keys of its turns, for work that is the only one of its run; absent: made of identity and words. */
  readonly keys?: { readonly first: string; heal(count: number): string };
  /** What makes this work a different one when it changes: its definition, its inputs, its agent. */
  readonly identity: Json;
  /** What people said about it. It is in the key as the identity is; the rendered prompt is not. */
  readonly words: Json;
  /** Whether a prompt that an earlier release rendered says the same words; absent: the identity says it all. */
  recognizes?(prompt: string): boolean;
  readonly prompt: string;
  /** What of the prompt is new to the conversation in `from`. */
  readonly news?: string;
  readonly retryMax: number;
  /** The conversation to go on with; absent: the first turn begins one. */
  readonly from?: Pick<Turn, 'turn' | 'continues' | 'conversation'>;
  spec(turn: Turn): SessionSpec;
  /** Whether the judgement looks at the work itself: then it decides where only the agent's own account is missing. */
  readonly gated: boolean;
  /** Null: the work stands. `after` is the key of the turn that is judged. */
  judge(ended: TurnOutcome, after: string): Promise<Judgement | null>;
  /** Digest of what the turn left behind: equal digests mean that nothing moved. */
  progress(ended: TurnOutcome, after: string): Promise<string>;
  /** Who is asked before a person: the layer above, an architect. Absent: nobody. */
  readonly resolve?: Resolver;
  /** What the agent is told after a failure, with the task as it stands now; absent: the task again, with what was seen. */
  healWords?(failed: Failure, task: string): LaterWords;
  /** Whether a turn may heal this failure; absent: any that may be tried again. */
  mayHeal?(failed: Failure): boolean;
  /** Whether the next turn begins a conversation of its own. */
  startsAnew?(failed: Failure): boolean;
}

/** Answers what an agent asks, by calls of its context alone; null: it cannot, and the next one is asked. */
type Resolver = (ctx: Ctx, key: string, question: Question) => Promise<Answer | null>;

export interface WorkEnd {
  readonly ended: TurnOutcome;
  /** Key of the last turn. */
  readonly key: string;
  readonly failure: Failure | null;
  /** The failure whose healing turn a ceiling refused to launch; absent: none was refused. */
  readonly unhealed?: Failure;
}

/**
 * One agent, until its work stands: a turn, then the judgement; a failure becomes the prompt of a healing turn in the
 * same conversation, a question goes to a person and its answer becomes the next turn.
 */
export async function agentWork(ctx: Ctx, work: AgentWork): Promise<WorkEnd> {
  const { id, identity, words, from = beginning } = work;
  const resolved: AnsweredQuestion[] = [];
  const known = (): readonly AnsweredQuestion[] => [...ctx.answers(rootStepOf(id)), ...resolved];
  const task = (): string => withAnswers(work.prompt, known());
  const first = work.news === undefined ? { prompt: task() } : { prompt: task(), news: work.news };
  const tries: FailedTry[] = [];
  const answered: Question[] = [];
  let questions = 0;
  let unhealed: { readonly end: WorkEnd; readonly failure: Failure } | null = null;
  let wanted = work.keys?.first ?? keyOf(id, { identity, prompt: words });
  let turn: Turn = { ...from, ...first };
  for (;;) {
    const { key, prompt: launchedWith } = await findTurnKey(ctx, wanted, work, turn.continues);
    const spec = work.spec(turn);
    const ended = await turnOrRefusal(
      sessionThroughLimits(ctx, key, launchedWith === null ? spec : { ...spec, prompt: launchedWith }),
    );
    if (ended instanceof StepFailed) {
      if (unhealed === null) throw ended;
      const { end, failure } = unhealed;
      return { ...end, failure: notHealed(failure, ended.failure), unhealed: failure };
    }
    const next = { turn: turn.turn + 1, continues: ended.sessionId, conversation: ended.conversation };
    const asked = ended.result?.questions ?? [];
    const repeated = repeatedQuestion(asked, answered);
    if (repeated !== null) return { ended, key, failure: repeated };
    if (asked.length > 0) {
      questions += 1;
      answered.push(...asked);
      const answers = await askAll(
        ctx,
        { step: id, after: key, round: questions, agent: spec.agent, turn: ended, resolve: work.resolve },
        asked,
      );
      resolved.push(...answers.filter(({ isResolved }) => isResolved));
      wanted = keyOf(`${id}/answer-${questions}`, {
        after: key,
        answers: answers.map(({ answer }) => answer.text),
      });
      turn = { ...next, ...answersWords(work.prompt, answers, known()) };
      unhealed = null;
      continue;
    }
    const judged = turnJudgement(ended, work.gated) ?? withDenials(await work.judge(ended, key), ended);
    if (judged === null) return { ended, key, failure: null };
    const { failure } = judged;
    tries.push({ ...judged, progress: await work.progress(ended, key) });
    const decision = mayRetry(tries, work.retryMax);
    if (decision.verdict === 'give-up') return { ended, key, failure: decision.failure };
    if (work.mayHeal?.(failure) === false) return { ended, key, failure };
    wanted =
      work.keys?.heal(tries.length) ?? keyOf(`${id}/heal-${tries.length}`, { after: key, of: judged.of });
    const healing = work.healWords?.(failure, task()) ?? healWords(task(), failure);
    unhealed = { end: { ended, key, failure }, failure };
    const anew = work.startsAnew?.(failure) === true;
    turn = { ...(anew ? beginning : next), ...healing };
  }
}

/** The turn, or why a ceiling refused to launch it. */
async function turnOrRefusal(turn: Promise<TurnOutcome>): Promise<TurnOutcome | StepFailed> {
  try {
    return await turn;
  } catch (error) {
    if (error instanceof StepFailed && ['budget', 'depth'].includes(error.failure.reason)) return error;
    throw error;
  }
}

/** What is wrong with the work, and why no turn heals it: a higher ceiling allows the healing to continue. */
function notHealed({ message, evidence = null }: Failure, refusal: Failure): Failure {
  const why = refusal.reason === 'budget' ? 'there was no budget to heal it' : 'it could not be healed';
  return failureOf(refusal.reason, `${message}; ${why}: ${refusal.message}`, { evidence });
}

/** A turn that did not succeed by its own account or its process. An account that is only missing does not hide the work. */
function turnJudgement(ended: TurnOutcome, gated: boolean): Judgement | null {
  const failure = failureOfTurn(ended);
  const isMissing = ended.stop === 'no-result' && failure?.reason === 'no-result';
  return failure === null || (gated && isMissing)
    ? null
    : { failure, of: { stop: ended.stop, outcome: ended.outcome } };
}

/** A gate sees only that something is missing: the agent has to know what it was not permitted to do. */
function withDenials(judged: Judgement | null, turn: TurnOutcome): Judgement | null {
  const { deniedTools = [], deniedUses = deniedTools } = turn;
  if (judged === null || deniedUses.length === 0) return judged;
  const { message, ...rest } = judged.failure;
  const denied = `in this turn the agent was not permitted to use ${deniedUses.join(', ')}`;
  return { ...judged, failure: { ...rest, message: `${message}; ${denied}` } };
}

/** The turn whose result asks, and which round of questions of its step this is. */
interface AskingTurn {
  readonly step: string;
  readonly after: string;
  readonly round: number;
  readonly agent: string;
  readonly turn: Pick<TurnOutcome, 'sessionId'>;
  readonly resolve: Resolver | undefined;
}

interface ResolvedQuestion {
  readonly question: string;
  readonly answer: Answer;
  /** Not by a person. */
  readonly isResolved: boolean;
}

/** Has answered what an agent asked, all of it at once: by whoever is asked first, else by a person. */
async function askAll(
  ctx: Ctx,
  { step, after, round, agent, turn, resolve }: AskingTurn,
  questions: readonly Question[],
): Promise<readonly ResolvedQuestion[]> {
  return ctx.all(
    questions.map((question, index) => async (scope: Ctx) => {
      const id = `${step}/question-${round}${questions.length > 1 ? `-${index + 1}` : ''}`;
      const asked = { ...question, step, agent, session: turn.sessionId };
      const key = keyOf(id, plain({ after, question }));
      const resolved = (await resolve?.(scope, key, asked)) ?? null;
      const answer = resolved ?? (await scope.ask(key, asked));
      return { question: question.text, answer, isResolved: resolved !== null };
    }),
  );
}
