import { formatInstant } from '../../lib/instant.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { limitIn, limitKindOf, type MetLimit } from '../../model/limit-pause.ts';
import { describeModelRefusal, modelRefusalIn, modelSetting, wordsOfCli } from '../../model/model-refusal.ts';
import { failureOfTurn, type Tier, type TurnOutcome } from '../../model/turn.ts';
import type { Usage } from '../../model/usage.ts';
import type { SignIn } from '../../drivers/sign-in.ts';
import { describeRefusal, keyVariable } from '../agent-clis/sign-in.ts';

/** What one small turn was to prove. */
interface Proof {
  readonly what: 'read' | 'write' | 'command' | 'result';
  readonly proven: boolean;
  readonly text: string;
}

export interface Trial {
  readonly driver: string;
  /** Null: left to the CLI. */
  readonly model: string | null;
  readonly proofs: readonly Proof[];
  /** Why not everything was proven, and what to do about it; null where all was. */
  readonly cause: { readonly message: string; readonly hint: string } | null;
  readonly usage: Usage;
  /** The session's whole output; null where it did not start. */
  readonly log: string | null;
}

export interface Unanswered {
  readonly text: string;
  /** The last failure that the CLI reported; null: it reported none, so that nothing is known about the cause. */
  readonly reason: string | null;
}

export interface TrialEvidence {
  /** Stands in `word.txt`, and nowhere else. */
  readonly word: string;
  readonly written: string;
  readonly ran: string;
  readonly log: string;
  /** Whether the driver reports which tools its agent uses. */
  readonly reportsTools: boolean;
  /** Null: the turn did not come to an end. */
  readonly turn: TurnOutcome | null;
  /** Why it did not. */
  readonly failure: string | null;
  /** The model gave no answer, and the trial was stopped for that; null: it was not. */
  readonly unanswered: Unanswered | null;
  /** How the CLI signs in; null for a program of which that is not known. */
  readonly signIn: SignIn | null;
  /** What a person does to sign in with it; null: not known. */
  readonly signInAdvice: string | null;
}

/** Judges by what the turn left behind; its own words only say why something is missing. */
export function judgeTrial(
  evidence: TrialEvidence,
  rest: Pick<Trial, 'driver' | 'model' | 'usage' | 'log'>,
): Trial {
  const { word, written, ran, log, turn } = evidence;
  const line = `ran-${word}`;
  const commanded = ran.includes(line) || log.includes(line);
  const wrote = written.trim() === word;
  const handed = turn?.outcome === 'SUCCESS' && turn.result !== null;
  const proofs: readonly Proof[] = [
    proof('read', wrote || commanded || log.includes(word), 'a file of the workspace'),
    proof('write', wrote, 'a new file in the workspace'),
    proof('command', commanded, 'a command in the workspace'),
    proof('result', handed, 'a result that Tutti accepts'),
  ];
  return {
    ...rest,
    proofs,
    cause: proofs.every(({ proven }) => proven) ? null : causeOf(evidence, proofs, rest),
  };
}

function proof(what: Proof['what'], proven: boolean, text: string): Proof {
  return { what, proven, text };
}

const refusedKey =
  /\b40[13]\b|authenticat|unauthori|invalid.{0,20}(?:api[ -_]?)?key|api key not valid|permission_denied|log ?in\b|logged in/i;
const unreachable =
  /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH|TIMEDOUT)\b|unable to connect|cannot connect|failed to connect|connection (?:error|refused)|lookup address|fetch failed|network error/i;

/** The tier of the agent that tries a driver. */
const trialTier: Tier = 'medium';

type Cause = NonNullable<Trial['cause']>;

function causeOf(
  evidence: TrialEvidence,
  proofs: readonly Proof[],
  { driver, model }: Pick<Trial, 'driver' | 'model'>,
): Cause {
  const { turn, failure, unanswered } = evidence;
  const failed = turn === null ? null : failureOfTurn(turn);
  const said = failed === null ? null : wordsOfCli(failed);
  const told = oneLine(said ?? failed?.message ?? failure ?? '', 400);
  const worked = proofs.some(({ what, proven }) => what !== 'result' && proven);
  // Not every CLI shows what a tool returned: an agent that used tools did begin.
  const idle = !worked && (turn?.toolCalls ?? 0) === 0 && (turn?.denials ?? 0) === 0;
  if (idle) {
    return (
      modelCause(unanswered?.text ?? told, evidence, { driver, model }) ??
      idleCause(told, evidence, { driver, model })
    );
  }
  if (!worked && turn?.stop === 'failed' && turn.failure?.reason === 'unavailable') {
    return { message: told, hint: `change that, then try again: tutti doctor --try ${driver}` };
  }
  const missing = (what: Proof['what']): boolean => proofs.some((each) => each.what === what && !each.proven);
  const denied = deniedText(turn);
  if (missing('write')) {
    const message = `the agent did not write the file that it was asked for${denied}`;
    return { message, hint: 'check sandbox, tools and permissions of the driver: tutti help drivers' };
  }
  if (missing('command')) {
    const message = `the agent did not run the command that it was asked for${denied}`;
    return { message, hint: 'allow a shell for the driver (tools, permissions): tutti help drivers' };
  }
  const message = told === '' ? 'the agent handed over no result' : `the result was not accepted: ${told}`;
  return { message, hint: 'read the whole output below' };
}

/** ` (denied: Bash, Write)`; empty: no tool was. */
function deniedText(turn: TurnOutcome | null): string {
  const { denials = 0, deniedTools = [] } = turn ?? {};
  if (denials === 0) return '';
  const tools = deniedTools.length === 0 ? '' : `: ${deniedTools.join(', ')}`;
  return ` (${denials === 1 ? 'denied' : `denied ${denials} times`}${tools})`;
}

/** Null: nothing shows that the model is what failed. */
function modelCause(
  told: string,
  { turn, signIn, signInAdvice, unanswered }: TrialEvidence,
  { driver, model }: Pick<Trial, 'driver' | 'model'>,
): Cause | null {
  // Not our own words around it.
  const reason = unanswered?.reason ?? told;
  const limit = limitOf(reason, { turn, unanswered });
  if (limit !== null) return limitCause(limit, { driver, reason: unanswered?.reason ?? null, signIn });
  const refusal = modelRefusalIn(reason);
  // An answer of the model shows that it asks for no sign-in; a turn that never began shows nothing.
  const failed = turn?.stop === 'failed' || turn?.stop === 'sign-in' || turn?.stop === 'timeout';
  const noSignIn = signIn?.found === false ? signIn : null;
  const isSignIn = turn?.stop === 'sign-in';
  if (refusal === 'unpaid' || (refusal !== null && !isSignIn && (failed || unanswered !== null))) {
    const setting = modelSetting(driver, trialTier);
    const { what, fix } = describeModelRefusal(refusal, { driver, model, setting });
    return { message: `${what}: ${told}`, hint: fix };
  }
  // A server that refuses the key answers, and only the CLI tries again.
  const isRefused = isSignIn || refusedKey.test(reason);
  if ((unanswered !== null && !isRefused) || (failed && unreachable.test(told))) {
    const beside = noSignIn === null ? '' : ` (also: ${noSignIn.text})`;
    return {
      message: `${unanswered === null ? `the model cannot be reached: ${told}` : unanswered.text}${beside}`,
      hint:
        unanswered?.reason === null ? silenceHint(driver) : `check ${connection(driver)}: tutti help drivers`,
    };
  }
  if ((failed || unanswered !== null) && noSignIn !== null) {
    const message = told.includes(noSignIn.text) ? told : `${noSignIn.text}; ${told}`;
    return { message, hint: noSignIn.fix };
  }
  if (isRefused) {
    const { what, fix } = describeRefusal(signIn, signInAdvice);
    return { message: `${what}: ${told}`, hint: `${fix}, then try again: tutti doctor --try ${driver}` };
  }
  return null;
}

/** The CLI ended with a limit, or still asked its model again because of one. Null: it met none. */
function limitOf(
  reason: string,
  { turn, unanswered }: Pick<TrialEvidence, 'turn' | 'unanswered'>,
): MetLimit | null {
  if (turn?.stop === 'limit') return { resetAt: turn.resetAt, ...limitKindOf(turn.limitKind) };
  const limit = unanswered === null ? null : limitIn(reason);
  return limit === null ? null : { resetAt: null, ...limit };
}

/** The same words for every CLI, whether it ended with the limit or still asked its model again. */
function limitCause(
  limit: MetLimit,
  { driver, reason, signIn }: { driver: string; reason: string | null; signIn: SignIn | null },
): Cause {
  const why = reason === null ? '' : `: ${reason}`;
  const model = `or name another model: ${modelSetting(driver, trialTier)} (tutti help drivers)`;
  if (limit.kind === 'overload') {
    const hint = `try again later with tutti doctor --try ${driver}, ${model}`;
    return { message: `the model's servers are overloaded${why}`, hint };
  }
  const until = limit.resetAt === null ? '' : ` (until ${formatInstant(limit.resetAt)})`;
  const key = keyVariable(signIn);
  const hint = `wait until it is over, use another key${key === null ? '' : ` in ${key}`}, ${model}`;
  return { message: `the key or account met a usage limit${until}${why}`, hint };
}

/** Not every CLI reports that it retries: Gemini says nothing for minutes about a quota that is used up. */
function silenceHint(driver: string): string {
  const causes =
    'it may be a usage limit or an overloaded server, which some CLIs retry without a word, or the network';
  return `${causes}: check the quota of the key, then ${connection(driver)} (tutti help drivers)`;
}

function connection(driver: string): string {
  return `the network, the proxy and the base URL of ${driver}`;
}

/** The model answered or was never asked, and no step of the trial was begun. */
function idleCause(
  told: string,
  { turn, reportsTools }: TrialEvidence,
  { driver, model }: Pick<Trial, 'driver' | 'model'>,
): Cause {
  const answered = turn?.stop === 'finished' || turn?.stop === 'no-result';
  if (!answered) {
    return { message: told === '' ? 'the agent did nothing' : told, hint: 'read the whole output below' };
  }
  const says = oneLine(turn.result?.summary ?? turn.text, 200);
  if (!reportsTools) {
    return {
      message: `the program did none of the steps${says === '' ? '' : ` and said "${says}"`}`,
      hint: 'let it do what the prompt on its standard input says: tutti help own-agent',
    };
  }
  return {
    message: `the agent tried nothing: it used no tool${says === '' ? '' : ` and said "${says}"`}`,
    hint: `try again, or name a model that uses tools${model === null ? '' : ` instead of ${model}`}: ${modelSetting(driver, trialTier)}`,
  };
}
