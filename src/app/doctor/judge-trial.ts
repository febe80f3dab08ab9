import { oneLine } from '../../lib/terminal-text.ts';
import { agentClis } from '../../model/agent-clis.ts';
import { limitIn, limitKindOf, type MetLimit } from '../../model/limit-pause.ts';
import { failureOfTurn, type Tier, type TurnOutcome } from '../../model/turn.ts';
import type { Usage } from '../../model/usage.ts';
import type { SignIn } from '../../drivers/sign-in.ts';
import { describeRefusal } from '../agent-clis/sign-in.ts';

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
  /** Null: the turn did not come to an end. */
  readonly turn: TurnOutcome | null;
  /** Why it did not. */
  readonly failure: string | null;
  /** The model gave no answer, and the trial was stopped for that; null: it was not. */
  readonly unanswered: Unanswered | null;
  /** How the CLI signs in; null for a program of which that is not known. */
  readonly signIn: SignIn | null;
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
/** Nothing is wrong with the key itself, and waiting does not help. */
const unpaid =
  /credit balance|insufficient (?:credit|funds|balance)|payment required|\b402\b|\bbilling\b.{0,80}\b(?:inactive|disabled|not active|hard limit)/i;
const unknownModel =
  /model.{0,80}(?:not (?:found|exist|supported|available)|does not exist|unknown|invalid)|(?:unknown|invalid|no such).{0,20}model|not_found_error.{0,80}model/i;
const unreachable =
  /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH|TIMEDOUT)\b|unable to connect|cannot connect|failed to connect|connection (?:error|refused)|lookup address|fetch failed|network error/i;

/** A server that answers and has no such page: the address is wrong, or it does not say that the model is. */
const notFound = /\b404\b|\bNot Found\b/;

/** The tier of the agent that tries a driver. */
const trialTier: Tier = 'medium';

type Cause = NonNullable<Trial['cause']>;

function causeOf(
  evidence: TrialEvidence,
  proofs: readonly Proof[],
  { driver, model }: Pick<Trial, 'driver' | 'model'>,
): Cause {
  const { turn, failure, unanswered } = evidence;
  const told = oneLine((turn === null ? failure : failureOfTurn(turn)?.message) ?? '', 400);
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
  { turn, signIn, unanswered }: TrialEvidence,
  { driver, model }: Pick<Trial, 'driver' | 'model'>,
): Cause | null {
  // Not our own words around it.
  const reason = unanswered?.reason ?? told;
  const limit = limitOf(reason, { turn, unanswered });
  if (limit !== null) {
    const wait = limit.kind === 'overload' ? 'try again later' : 'wait until it is over, use another key';
    return {
      message: told,
      hint: `${wait}, or name another model: ${modelSetting(driver)} (tutti help drivers)`,
    };
  }
  if (unpaid.test(reason)) {
    const hint = `add credit to the account of the key, or use another key or sign-in for ${driver}`;
    return { message: `the account cannot pay for the model: ${told}`, hint };
  }
  if (turn?.stop !== 'sign-in' && unknownModel.test(reason)) {
    return {
      message: `the model${model === null ? '' : ` ${model}`} is not known: ${told}`,
      hint: `name another one: ${modelSetting(driver)} (tutti help drivers)`,
    };
  }
  // An answer of the model shows that it asks for no sign-in; a turn that never began shows nothing.
  const failed = turn?.stop === 'failed' || turn?.stop === 'sign-in' || turn?.stop === 'timeout';
  const noSignIn = signIn?.found === false ? signIn : null;
  if ((failed || unanswered !== null) && notFound.test(reason)) {
    const hint = `check the model (${modelSetting(driver)}) and the base URL of ${driver}: tutti help drivers`;
    return { message: `the address of the model was not found: ${told}`, hint };
  }
  // A server that refuses the key answers, and only the CLI tries again.
  const isRefused = refusedKey.test(reason);
  if ((unanswered !== null && !isRefused) || (failed && unreachable.test(told))) {
    const beside = noSignIn === null ? '' : ` (also: ${noSignIn.text})`;
    return {
      message: `${unanswered === null ? `the model cannot be reached: ${told}` : unanswered.text}${beside}`,
      hint:
        unanswered?.reason === null ? silenceHint(driver) : `check ${connection(driver)}: tutti help drivers`,
    };
  }
  if ((failed || unanswered !== null) && noSignIn !== null) {
    const said = told.replace(`; ${noSignIn.fix}`, '');
    const message = said.includes(noSignIn.text) ? said : `${noSignIn.text}; ${said}`;
    return { message, hint: noSignIn.fix };
  }
  if (isRefused) {
    const { what, fix } = describeRefusal(signIn);
    const said = told.replace(`; ${fix}`, '');
    return { message: said.includes(what) ? said : `${what}: ${said}`, hint: fix };
  }
  return null;
}

/** The CLI ended with a limit, or still asked its model again because of one. Null: it met none. */
function limitOf(
  reason: string,
  { turn, unanswered }: Pick<TrialEvidence, 'turn' | 'unanswered'>,
): Pick<MetLimit, 'kind'> | null {
  if (turn?.stop === 'limit') return limitKindOf(turn.limitKind);
  return unanswered === null ? null : limitIn(reason);
}

/** The setting as it can be pasted; a driver under its own name has a setup already, which may know no models. */
function modelSetting(driver: string): string {
  return agentClis.some((cli) => cli === driver)
    ? `drivers: {${driver}: {models: {${trialTier}: MODEL}}} in tutti.yaml`
    : `the setup of driver ${driver} in tutti.yaml`;
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
  { turn }: TrialEvidence,
  { driver, model }: Pick<Trial, 'driver' | 'model'>,
): Cause {
  const answered = turn?.stop === 'finished' || turn?.stop === 'no-result';
  if (!answered) {
    return { message: told === '' ? 'the agent did nothing' : told, hint: 'read the whole output below' };
  }
  const says = oneLine(turn.result?.summary ?? turn.text, 200);
  return {
    message: `the agent tried nothing: it used no tool${says === '' ? '' : ` and said "${says}"`}`,
    hint: `try again, or name a model that uses tools${model === null ? '' : ` instead of ${model}`}: ${modelSetting(driver)}`,
  };
}
