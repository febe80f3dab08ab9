import { dirname } from 'node:path';
import { formatDuration } from '../lib/duration.ts';
import { err, type Result } from '../lib/result.ts';
import { shellWord } from '../lib/shell-word.ts';
import { lastTellingLine } from '../lib/telling-lines.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { unreachable } from '../lib/unreachable.ts';
import { describeDenied, findOutside } from '../model/denied-use.ts';
import type { AgentDriver, DriverReader, ProcessEnd } from '../model/driver.ts';
import { type Failure, failure } from '../model/failure.ts';
import { describeModelRefusal, modelRefusalIn } from '../model/model-refusal.ts';
import { priced, type ModelPrice } from '../model/price.ts';
import type { AgentResult, SessionSpec, StopReason, TurnOutcome } from '../model/turn.ts';
import type { Usage } from '../model/usage.ts';
import { unmatchedExit } from './replay/exit-codes.ts';
import { outcomeOfStatus } from './result.ts';
import { readLog, type TurnLog } from './turn-log.ts';

/** Where the tools of a turn may be used. */
interface TurnFolders {
  readonly workspace: string;
  readonly writable: readonly string[];
}

/** All that is known about a turn whose process has ended. */
export interface EndedTurn {
  readonly spec: Pick<SessionSpec, 'agent' | 'driver' | 'timeoutMs' | 'minTools' | 'role'>;
  readonly sessionId: string;
  readonly end: ProcessEnd;
  /** Lines of `output.log`, from the first one. */
  readonly lines: Iterable<string>;
  readonly reader: DriverReader;
  /** Of its driver; absent: the log does not tell which tools were used. */
  readonly tellsTools?: boolean;
  /** Of its driver; absent: no variable or command is known. */
  readonly signInAdvice?: string | undefined;
  /** Of its driver; absent: it has no setting for tools. */
  readonly permissionSetting?: AgentDriver['permissionSetting'] | undefined;
  /** The model that it ran on, if that was named, and where a person names another; absent: nobody knows. */
  readonly model?: { readonly name: string | null; readonly setting: string };
  /** Its workspace, and the folders that its tools may write; absent: not known. */
  readonly folders?: TurnFolders;
  /** As `readResult` gave it. */
  readonly result: Result<AgentResult | null, Failure>;
  /** Of the model that it ran on; absent or null where nobody knows it. */
  readonly price?: ModelPrice | null;
  /** The ceiling of its run that left it no more time; absent or null: a limit of its own did. */
  readonly timeCeiling?: Failure | null;
}

/**
 * Success is proven by all of it or not at all: the turn finished by itself, its exit code is 0, the result it owes says
 * success, and one that owes none has done something. Pure, so that reading the same log after a crash gives the same.
 */
export function assembleTurn(ended: EndedTurn): TurnOutcome {
  const log = readLog(ended.lines, ended.reader);
  const stopped = stopOf(ended, log);
  const turn = { ...ended, result: workIn(ended, log) };
  const result = turn.result.ok ? turn.result.value : null;
  const stop = stopped === 'finished' && !turn.result.ok ? 'no-result' : stopped;
  const failed = failureOf(stop, turn, log);
  const found = failed === null ? null : withDenials(failed, turn, log);
  return {
    outcome: found?.outcome ?? 'SUCCESS',
    stop,
    sessionId: turn.sessionId,
    result,
    text: log.text,
    toolCalls: usedTools(log),
    ...(log.deniedCalls === 0 ? {} : { deniedCalls: log.deniedCalls }),
    denials: log.denials,
    ...(log.deniedTools.length === 0
      ? {}
      : { deniedTools: log.deniedTools, deniedUses: log.deniedUses.map(describeDenied) }),
    ...(log.retries === 0 ? {} : { retries: log.retries }),
    conversation: log.conversation,
    hookBlocks: log.hookBlocks,
    usage: usageOf(log.usage, result?.usage ?? null, turn.price ?? null),
    exitCode: turn.end.exitCode,
    failure: found,
    resetAt: stop === 'limit' ? (log.limit?.resetAt ?? null) : null,
    ...(stop === 'limit' && log.limit?.kind !== undefined ? { limitKind: log.limit.kind } : {}),
  };
}

/** A process that we ended because its sign-in was refused says only that it was ended. */
function stopOf({ reader, end }: EndedTurn, { signIn }: TurnLog): StopReason {
  const stop = reader.stop(end);
  return signIn !== null && stop !== 'finished' && stop !== 'timeout' ? 'sign-in' : stop;
}

/** A log may tell more denials than calls. */
function usedTools({ toolCalls, deniedCalls }: TurnLog): number {
  return Math.max(0, toolCalls - deniedCalls);
}

/** An agent that used no tool and hands nothing over has only talked: nothing shows that anything was done. */
function workIn({ spec, reader, tellsTools, result }: EndedTurn, log: TurnLog): EndedTurn['result'] {
  const toolCalls = usedTools(log);
  const { agent, minTools = 1 } = spec;
  const known = tellsTools === true && reader.untold?.() !== true;
  if (!known || !result.ok || result.value !== null || toolCalls >= minTools) return result;
  const used = toolCalls === 0 ? 'used no tool' : `used ${toolCalls} of at least ${minTools} tools`;
  const next = 'if words are enough, say so in the file of the agent: min_tools: 0';
  return err(failure('no-result', `agent ${agent} ${used} and handed over no result: ${next}`));
}

function failureOf(stop: StopReason, turn: EndedTurn, log: TurnLog): Failure | null {
  const { agent, timeoutMs } = turn.spec;
  const evidence = { output: log.text };
  switch (stop) {
    case 'finished':
    case 'no-result':
      return turn.result.ok
        ? reportedFailure(turn.result.value, agent)
        : withRefusal(turn.result.error, turn);
    case 'failed':
      return (
        helplessFailure(turn) ??
        (turn.result.ok ? reportedFailure(turn.result.value, agent) : null) ??
        modelFailure(turn, log) ??
        exitFailure(turn, log)
      );
    case 'timeout':
      return turn.timeCeiling
        ? { ...turn.timeCeiling, evidence }
        : failure(
            'timeout',
            `agent ${agent} did not end within ${formatDuration(timeoutMs)}${whileAsking(log)}`,
            { evidence },
          );
    case 'killed':
      return failure('ended', `agent ${agent} was ended before it finished`, { evidence });
    case 'over-quota':
      return failure('budget', `agent ${agent} filled the disk space of its session`, { evidence });
    case 'crashed':
      return failure('signal', `agent ${agent} was ended by ${turn.end.signal ?? 'an unknown cause'}`, {
        evidence,
      });
    case 'limit':
      return limitFailure(agent, log);
    case 'unavailable':
      return failure('unavailable', `the program of agent ${agent} cannot be run`, { evidence });
    case 'sign-in':
      return signInFailure(turn, log);
    default:
      return unreachable(stop);
  }
}

/** An agent that tried to hand over a result has to know what was wrong with it. */
function withRefusal(missing: Failure, { reader }: EndedTurn): Failure {
  const refused = reader.refusedResult?.() ?? null;
  if (refused === null || missing.reason !== 'no-result') return missing;
  return {
    ...missing,
    message: `the agent ended without a valid result: its CLI refused the last one: ${refused}`,
  };
}

/** What kept it from ending, where its CLI was still asking the model again. */
function whileAsking({ retries, retrying }: TurnLog): string {
  return retrying === null
    ? ''
    : `: its CLI asked the model again (${retries} so far): ${oneLine(retrying, 300)}`;
}

/** An agent that may not use a tool it needs fails for that reason, whatever it says itself. */
function withDenials(
  failed: Failure,
  { spec: { agent, driver, role }, permissionSetting, folders }: EndedTurn,
  { deniedUses }: TurnLog,
): Failure {
  if (deniedUses.length === 0 || failed.reason === 'sign-in' || failed.reason === 'unavailable')
    return failed;
  const tools = deniedUses.map(describeDenied).join(', ');
  const outside =
    folders === undefined ? [] : deniedUses.flatMap((use) => findOutside(use, foldersOf(folders)) ?? []);
  // No setting allows a change there.
  if (folders !== undefined && outside.length > 0 && outside.length === deniedUses.length) {
    const message = `${failed.message}; it was not permitted to use ${tools}: ${whereInstead(folders, outside, role)}`;
    return { ...failed, message };
  }
  // A planner writes documents, and code checks them: no setting should give it more.
  if (role === 'planner') {
    const message = `${failed.message}; it was not permitted to use ${tools}, which planning does not need`;
    return { ...failed, message };
  }
  const inAgent = `\`tools:\` of agent ${agent}`;
  const places =
    permissionSetting === undefined
      ? inAgent
      : `drivers.${driver}.${permissionSetting} in tutti.yaml, or in ${inAgent}`;
  return {
    ...failed,
    message: `${failed.message}; it was not permitted to use ${tools}: allow what it needs in ${places}`,
  };
}

/** The workspace counts although a turn may not write it: its role or its tools are what decides there. */
function foldersOf({ workspace, writable }: TurnFolders): readonly string[] {
  return [workspace, ...writable];
}

function whereInstead(
  { workspace, writable }: TurnFolders,
  [first = '']: readonly string[],
  role: SessionSpec['role'] = 'executor',
): string {
  const own = writable.includes(workspace) ? workspace : (writable[0] ?? workspace);
  const only = `it may write only below ${own}; have its prompt name a path there`;
  // No folder can be added for one that only plans or verifies.
  if (role !== 'executor') return only;
  return `${only}, or give a session the directory: tutti session create --add-dir ${shellWord(dirname(first))}`;
}

/** What its agent says of it is about the consequences only. */
function helplessFailure({ spec: { agent }, reader }: EndedTurn): Failure | null {
  const why = reader.helpless?.() ?? null;
  return why === null ? null : failure('unavailable', `agent ${agent} could do nothing: ${why}`);
}

function limitFailure(agent: string, { limit }: TurnLog): Failure {
  const message =
    limit?.kind === 'overload'
      ? `agent ${agent} was refused: the model's servers are overloaded`
      : `agent ${agent} met a usage limit`;
  return failure('unavailable', message, {
    outcome: 'LIMIT_PAUSED',
    evidence: { reset_at: limit?.resetAt ?? null },
  });
}

function signInFailure({ spec, signInAdvice }: EndedTurn, { signIn, problem }: TurnLog): Failure {
  const why = oneLine(signIn ?? problem ?? 'the agent is not signed in', 500);
  const next = signInAdvice ?? 'give the agent its key, or sign in with its own program';
  return failure('sign-in', `agent ${spec.agent} cannot use its model: ${why}; ${next}`, {
    evidence: { said: why },
  });
}

/** Only where nothing was said or done: a model that answered is there, and the words may be about anything. */
function modelFailure({ spec, model }: EndedTurn, { problem, text, toolCalls }: TurnLog): Failure | null {
  const refusal = problem === null || text !== '' || toolCalls > 0 ? null : modelRefusalIn(problem);
  if (problem === null || refusal === null) return null;
  const { agent, driver } = spec;
  const { name = null, setting = `the setup of driver ${driver} in tutti.yaml` } = model ?? {};
  const { what, fix } = describeModelRefusal(refusal, { driver, model: name, setting });
  const said = oneLine(problem, 300);
  return failure('unavailable', `agent ${agent} cannot use its model: ${what}: ${said}; ${fix}`, {
    evidence: { said },
  });
}

function reportedFailure(result: AgentResult | null, agent: string): Failure | null {
  if (result === null) return null;
  const outcome = outcomeOfStatus[result.status];
  if (outcome === 'SUCCESS') return null;
  const [question] = result.questions;
  const asks = question === undefined ? '' : `it asks: ${oneLine(question.text)}`;
  const says = oneLine(result.summary) || asks || 'it gives no reason';
  return failure('reported', `agent ${agent} reports ${result.status}: ${says}`, { outcome });
}

function exitFailure(turn: EndedTurn, log: TurnLog): Failure {
  const { exitCode } = turn.end;
  if (exitCode === unmatchedExit && log.problem !== null) return failure('unmatched', log.problem);
  const said = log.problem ?? lastTellingLine(log.text);
  const why = said === null ? '' : `: ${oneLine(said, 300)}`;
  return failure('exit', `agent ${turn.spec.agent} ended with exit code ${exitCode ?? 'unknown'}${why}`, {
    evidence: { output: log.text },
  });
}

/** The agent's own numbers count only where its CLI tells none: a price for the CLI's tokens is worth more than a claim. */
function usageOf(fromLog: Usage, claimed: Usage | null, price: ModelPrice | null): Usage {
  const known = priced(fromLog, price);
  return claimed === null ? known : priced({ ...claimed, ...told(known) }, price);
}

function told(usage: Usage): Partial<Usage> {
  return Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== null));
}
