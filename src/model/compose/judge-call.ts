import { firstFew, shownInSentence } from '../../lib/first-few.ts';
import type { Json } from '../../lib/json.ts';
import { type Failure, failure } from '../failure.ts';
import type { FilesRecord } from '../operations.ts';
import type { TurnOutcome } from '../turn.ts';
import { type ExecutorCall, lastAction } from './executor-call.ts';
import { readAccount, readAnswer } from './stage-marker.ts';
import { findBeyond, ownChanges, type WriteScope } from './write-scope.ts';

/** What is wrong with a turn of a call. `of`: the same in facts, for the comparison with other tries. */
interface Wrong {
  readonly failure: Failure;
  readonly of: Json;
}

type JudgedCall = Pick<ExecutorCall, 'action' | 'also' | 'rules'>;
export type JudgedTurn = Pick<TurnOutcome, 'text' | 'result' | 'failure' | 'sessionId'>;

/**
 * The agent's own account: `result.json` and the last lines of its text. The worse one counts, and a missing one is made up for by
 * the other. Null: it says that the action is complete, or leaves it to the gates.
 */
export function judgeAccount(call: JudgedCall, turn: JudgedTurn): Wrong | null {
  const { answers, gates } = call.rules;
  const account = readAccount(wordsOf(turn), lastAction(call));
  if (account?.at === 'failed') {
    const message = account.reason === '' ? 'STAGE_FAILED, without a reason' : account.reason;
    return { failure: failure('reported', `the agent reports: ${message}`), of: { stage: 'failed' } };
  }
  if (answers.length > 0) {
    if (answerOf(call, turn) !== null) return null;
    const message = `the agent's last line is none of the answers ${answers.join(', ')}`;
    return { failure: failure('invalid-result', message), of: { answer: null } };
  }
  if (turn.failure === null || account !== null || gates.length > 0) return null;
  return { failure: turn.failure, of: { stage: 'unknown' } };
}

/** The word that the agent answered with; null: none, or the action has no answers. */
export function answerOf({ rules }: Pick<ExecutorCall, 'rules'>, turn: JudgedTurn): string | null {
  return readAnswer(wordsOf(turn), rules.answers);
}

/** What the turn left in the project. */
export interface TurnTraces {
  /** Every file that the call wrote so far. Paths are relative to the project. */
  readonly written: readonly string[];
  /** Those of them that only the call can have changed. */
  readonly own: readonly string[];
  readonly named: Pick<FilesRecord, 'missing' | 'found' | 'ignored'>;
  readonly scope: WriteScope;
  /** Of calls that may be at work in the same folder at the same time. */
  readonly others: readonly WriteScope[];
}

/** Whether files show that the work was done, and that nothing else was. Null: they do, and gates decide the rest. */
export function judgeTraces(call: JudgedCall, turn: JudgedTurn, traces: TurnTraces): Wrong | null {
  const { gates, answers } = call.rules;
  const { own, named, scope, others } = traces;
  const beyond = findBeyond(own, scope, others);
  if (beyond.length > 0) {
    const shown = firstFew(beyond, shownInSentence);
    const message = `it changed files that it may not write: ${shown}; put them back as they were`;
    return { failure: failure('gate', message, { evidence: { output: beyond.join('\n') } }), of: { beyond } };
  }
  const { missing } = named;
  if (missing.length > 0) {
    const message = `it names files that do not exist in the project: ${firstFew(missing, shownInSentence)}`;
    return { failure: failure('invalid-result', message), of: { missing } };
  }
  const work = listWork(traces);
  if (work.length === 0 && gates.some(({ kind }) => kind === 'diff'))
    return { failure: failure('gate', 'it changed no file'), of: { written: 0 } };
  const isProven =
    answers.length > 0 ||
    work.length + named.ignored.length > 0 ||
    (gates.length > 0 && hasReport(call, turn));
  if (isProven) return null;
  const message =
    'it left nothing that can be checked: name the files that you wrote as artifacts, or write a report for a gate';
  return { failure: failure('no-result', message), of: { proof: 0 } };
}

/** What proves the work: files that the agent names, else those that it wrote, else the log with its report. */
export function listArtifacts(
  turn: JudgedTurn,
  traces: Omit<TurnTraces, 'scope' | 'own'>,
): readonly string[] {
  const { found } = traces.named;
  if (found.length > 0) return found;
  const work = listWork(traces);
  if (work.length > 0) return work;
  return [`.tutti/sessions/${turn.sessionId}/output.log`];
}

/** Files that changed by this call: its own changes, and changed files that the agent names as its work. */
export function listWork({ written, named, others }: Omit<TurnTraces, 'scope' | 'own'>): readonly string[] {
  const own = new Set(ownChanges(written, others));
  const isNamed = new Set(named.found);
  return written.filter((path) => own.has(path) || isNamed.has(path));
}

/** Whether the agent said anything beyond its marker. */
function hasReport({ action, also = [] }: JudgedCall, turn: JudgedTurn): boolean {
  const actions = [action, ...also.map((each) => each.action)];
  const isMarker = (line: string): boolean => actions.some((each) => readAccount(line, each) !== null);
  return wordsOf(turn)
    .split('\n')
    .some((line) => line.trim() !== '' && !isMarker(line));
}

function wordsOf({ text, result }: JudgedTurn): string {
  return `${text}\n${result?.summary ?? ''}`;
}
