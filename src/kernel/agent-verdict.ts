import type { Json } from '../lib/json.ts';
import { firstFew } from '../lib/first-few.ts';
import { endSentence } from '../lib/sentence.ts';
import { failure, type Failure } from '../model/failure.ts';
import { keyOf, rootStepOf } from '../model/key.ts';
import { closed } from '../model/question.ts';
import type { SessionSpec, Turn, TurnOutcome } from '../model/turn.ts';
import { agentWork } from './agent-work.ts';
import type { Ctx } from './ctx.ts';
import { type FailedTry, mayRetry } from './retry.ts';

/** Work that an agent judges which did not do it (P2). */
export interface JudgedWork {
  /** Whose work it is; the turns are its parts: `T001/verify`. */
  readonly id: string;
  readonly noun: 'task' | 'step';
  /** What is judged, in facts: the same work has one verdict. */
  readonly about: Json;
  /** What a question about the judging agent is about. */
  readonly asked: Json;
  /** Turns that end without a verdict before a person is asked, however differently they end. */
  readonly rounds: number;
  readonly prompt: string;
  spec(turn: Turn): SessionSpec;
  /** Before each conversation, with the key of its first turn. */
  prepare?(key: string): Promise<void>;
  /** After each turn, whatever it said: puts back what changed, and returns the files of the work among it. */
  settle?(key: string): Promise<readonly string[]>;
  /** Digest of what is judged, under that key; absent: `settle` puts back what changed. */
  readonly seen?: (key: string) => Promise<string>;
}

/**
 * The verdict of an agent in a conversation of its own; null: it accepts the work. The work is paid for and waits: only the
 * judging agent is tried again, and then a person says whether it is. Work is never accepted unjudged here.
 */
export async function agentVerdict(ctx: Ctx, work: JudgedWork): Promise<Failure | null> {
  const asked = { 'sign-in': 0, 'no-verdict': 0 };
  let part = 'verify';
  let silences: readonly FailedTry[] = [];
  let { prompt } = work;
  for (;;) {
    const id = `${work.id}/${part}${repeatOf(silences.length)}`;
    const { ended, failure: failed, agent, moved } = await judgingTurn(ctx, { ...work, prompt }, id);
    if (failed === null) return null;
    if (!moved && ended.result !== null && ended.result.questions.length === 0) return refused(ended);
    prompt = moved ? `${work.prompt}\n\n${changeNothing}` : work.prompt;
    // Without a result there is no verdict: the verifier's trouble is not that of the work.
    silences = [...silences, { failure: failed, of: { stop: ended.stop }, progress: '' }];
    if (mayRetry(silences, work.rounds).verdict === 'retry') continue;
    const trouble = failed.reason === 'sign-in' ? 'sign-in' : 'no-verdict';
    asked[trouble] += 1;
    const round = asked[trouble];
    if ((await askAboutVerifier(ctx, work, failed, { trouble, round, agent, ended })) === 'fail')
      return noVerdict(failed);
    part = trouble === 'sign-in' ? `verify-signed-in-${round}` : `verify-asked-${round}`;
    silences = [];
  }
}

interface JudgingTurn {
  readonly ended: TurnOutcome;
  readonly failure: Failure | null;
  readonly agent: string;
  /** It accepted something other than the work. */
  readonly moved: boolean;
}

/** One conversation of the judging agent, with the answers to what it asks. */
async function judgingTurn(ctx: Ctx, work: JudgedWork, id: string): Promise<JudgingTurn> {
  const first = keyOf(id, work.about);
  const before = await work.seen?.(keyOf(`${id}/before`, work.about));
  await work.prepare?.(first);
  let agent = '';
  const {
    ended,
    key,
    failure: failed,
  } = await agentWork(ctx, {
    id,
    keys: { first, heal: () => first },
    identity: null,
    words: null,
    prompt: work.prompt,
    retryMax: 0,
    gated: false,
    spec: (turn) => {
      const spec = work.spec(turn);
      ({ agent } = spec);
      return { ...spec, result: 'required' };
    },
    judge: () => Promise.resolve(null),
    progress: () => Promise.resolve(''),
  });
  const changed = (await work.settle?.(key)) ?? [];
  const after = await work.seen?.(keyOf(`${id}/after`, { about: work.about, key }));
  const isMoved = failed === null && (before !== after || changed.length > 0);
  return { ended, failure: isMoved ? describeMoved(changed) : failed, agent, moved: isMoved };
}

/** What was accepted is not what is there now, whichever process changed it. */
function describeMoved(changed: readonly string[]): Failure {
  const names = changed.length === 0 ? 'files' : firstFew(changed, 5);
  return failure('no-result', `${names} changed while it judged, so its verdict does not count`);
}

const changeNothing =
  'Your earlier verdict on this work does not count, because files of the work changed while you judged it. ' +
  'Judge the files as they are now and change none of them. If something is wrong, report it and do not fix it.';

function repeatOf(silences: number): string {
  return silences === 0 ? '' : silences === 1 ? '-again' : `-again-${silences}`;
}

function noVerdict({ message }: Failure): Failure {
  return failure('no-result', `the verifier gave no verdict: ${message}`, { outcome: 'NEEDS_ESCALATION' });
}

interface VerifierTrouble {
  readonly trouble: 'sign-in' | 'no-verdict';
  readonly round: number;
  readonly agent: string;
  readonly ended: TurnOutcome;
}

/** What is wrong with a verifier only a person can fix or wait for. */
async function askAboutVerifier(
  ctx: Ctx,
  { id, noun, asked }: JudgedWork,
  { message }: Failure,
  { trouble, round, agent, ended }: VerifierTrouble,
): Promise<'again' | 'fail'> {
  const step = rootStepOf(id);
  const [what, when] =
    trouble === 'sign-in' ? ['cannot sign in', ' after you fixed the sign-in'] : ['gave no verdict', ''];
  const { text } = await ctx.ask(keyOf(`${id}/${trouble}-${round}`, asked), {
    text: `${step}: the verifier ${what}: ${endSentence(message)} The work is kept. Verify it again${when}, or fail the ${noun}?`,
    options: ['again', 'fail'],
    closed,
    evidence: { ends: [{ command: `tutti logs ${ended.sessionId}`, output: wordsOf(ended) }] },
    step,
    agent,
  });
  return text.trim().toLowerCase() === 'again' ? 'again' : 'fail';
}

/** The verifier's last words, for the person who decides about it. */
function wordsOf({ result, text }: TurnOutcome): string {
  const words = [result?.summary ?? '', text].find((each) => each.trim() !== '');
  return words ?? '(it said nothing)';
}

function refused({ result }: TurnOutcome): Failure {
  const findings = (result?.notes ?? []).map((note) =>
    typeof note === 'string' ? note : JSON.stringify(note),
  );
  const summary = result?.summary ?? '';
  return failure('gate', `the verifier does not accept it: ${summary}`, {
    evidence: { category: 'validation', output: [summary, ...findings].join('\n') },
  });
}
