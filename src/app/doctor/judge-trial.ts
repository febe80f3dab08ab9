import { oneLine } from '../../lib/terminal-text.ts';
import { failureOfTurn, type TurnOutcome } from '../../model/turn.ts';
import type { Usage } from '../../model/usage.ts';
import type { SignIn } from './sign-in.ts';

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
const unknownModel =
  /model.{0,80}(?:not (?:found|exist|supported|available)|does not exist|unknown|invalid)|(?:unknown|invalid|no such).{0,20}model|not_found_error.{0,80}model/i;

function causeOf(
  { turn, failure, signIn }: TrialEvidence,
  proofs: readonly Proof[],
  { driver, model }: Pick<Trial, 'driver' | 'model'>,
): NonNullable<Trial['cause']> {
  const told = oneLine((turn === null ? failure : failureOfTurn(turn)?.message) ?? '', 400);
  // Not every CLI shows what a tool returned: an agent that used tools did begin.
  const idle =
    proofs.every(({ proven }) => !proven) && (turn?.toolCalls ?? 0) === 0 && (turn?.denials ?? 0) === 0;
  const missing = (what: Proof['what']): boolean => proofs.some((each) => each.what === what && !each.proven);
  if (idle && unknownModel.test(told)) {
    const message = `the model${model === null ? '' : ` ${model}`} is not known: ${told}`;
    return {
      message,
      hint: `name another one: drivers: {${driver}: {models: …}} in tutti.yaml (tutti help drivers)`,
    };
  }
  if (idle && signIn?.found === false) {
    return { message: `${signIn.text}; ${told}`, hint: signIn.mend };
  }
  if (idle && refusedKey.test(told)) {
    const used = signIn === null ? '' : ` (${signIn.text})`;
    return {
      message: `the sign-in was refused${used}: ${told}`,
      hint: 'check the key, or sign in again: tutti doctor',
    };
  }
  if (idle) {
    return { message: told === '' ? 'the agent did nothing' : told, hint: 'read the whole output below' };
  }
  const denied = turn !== null && turn.denials > 0 ? ` (denied uses of tools: ${turn.denials})` : '';
  if (missing('write')) {
    const message = `the agent could not write in its workspace${denied}`;
    return { message, hint: 'check sandbox, tools and permissions of the driver: tutti help drivers' };
  }
  if (missing('command')) {
    const message = `the agent could not run a command${denied}`;
    return { message, hint: 'allow a shell for the driver (tools, permissions): tutti help drivers' };
  }
  const message = told === '' ? 'the agent handed over no result' : `the result was not accepted: ${told}`;
  return { message, hint: 'read the whole output below' };
}
