import { recorded } from '../../lib/json.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { SpawnValue } from '../../model/compose-input.ts';
import type { ExecutorValue } from '../../model/compose/executor-call.ts';
import { exitCodeOf, type Outcome } from '../../model/outcome.ts';
import { refinementFile } from '../../model/compose/run-files.ts';
import type { Output } from '../../model/schemas/published.ts';
import type { RunStatus } from '../../app/status/run-status.ts';

const longestSummary = 2000;
const longestPath = 4096;

/** How a call ended. `DETACHED`: the conductor has the run, and nothing is known of its end. */
type Ended = Outcome | 'DETACHED';

type Pair = readonly [name: string, value: string];

/** The value of a run that has ended; null: it has not, or it could not begin. */
function valueOf<Value>({ run }: RunStatus): Value | null {
  return run.state.at === 'ended' && run.state.value !== null ? recorded<Value>(run.state.value) : null;
}

/** The one answer of `tutti spawn`. */
export function spawnAnswer(status: RunStatus, ended: Ended): Output<'spawn'> {
  const { run, steps, tookMs, message } = status;
  const value = valueOf<Pick<SpawnValue, 'artifacts' | 'summary'> & { readonly sessionId: string | null }>(
    status,
  );
  return {
    status: ended,
    exit_code: ended === 'DETACHED' ? 0 : exitCodeOf(ended),
    run_id: run.id,
    session_id: value?.sessionId ?? steps[0]?.sessionId ?? null,
    trace_id: run.traceId,
    depth: run.depth + 1,
    elapsed_seconds: tookMs / 1000,
    artifacts: [...(value?.artifacts ?? [])],
    summary: value === null || value.summary === '' ? null : value.summary,
    message,
  };
}

/** The one answer of `tutti executor`. */
export function executorAnswer(status: RunStatus, ended: Ended): Output<'executor-answer'> {
  const value = valueOf<ExecutorValue>(status);
  return {
    ...spawnAnswer(status, ended),
    answer: value?.answer ?? null,
    refinement:
      value === null || value.refinement === null
        ? null
        : `.tutti/runs/${status.run.id}/${refinementFile(value.step)}`,
    rescue: value?.rescue ?? null,
  };
}

export function spawnAnswerLines(answer: Output<'spawn'>): readonly string[] {
  return pairLines([...headPairs(answer), ...summaryPairs(answer)]);
}

export function executorAnswerLines(answer: Output<'executor-answer'>): readonly string[] {
  const { answer: word, refinement, rescue } = answer;
  return pairLines([
    ...headPairs(answer),
    ...optionalPair('ANSWER', word),
    ...optionalPair('REFINEMENT', refinement),
    ...optionalPair('RESCUE', rescue),
    ...summaryPairs(answer),
  ]);
}

function headPairs(answer: Output<'spawn'>): readonly Pair[] {
  return [
    ['STATUS', answer.status],
    ['EXIT_CODE', String(answer.exit_code)],
    ['RUN_ID', answer.run_id],
    ['SESSION_ID', answer.session_id ?? ''],
    ['TRACE_ID', answer.trace_id],
    ['DEPTH', String(answer.depth)],
    ['ELAPSED_SECONDS', String(answer.elapsed_seconds)],
    ...answer.artifacts.map((path): Pair => ['ARTIFACT', oneLine(path, longestPath)]),
  ];
}

function summaryPairs({ summary }: Output<'spawn'>): readonly Pair[] {
  return summary === null ? [] : [['SUMMARY', oneLine(summary, longestSummary)]];
}

function optionalPair(name: string, value: string | null): readonly Pair[] {
  return value === null ? [] : [[name, oneLine(value, longestPath)]];
}

/** `KEY=value` lines. Each value is one word of a shell on one line, so that `eval` can read them. */
export function pairLines(pairs: readonly Pair[]): readonly string[] {
  return pairs.map(([name, value]) => `${name}=${value === '' ? '' : shellWord(value)}`);
}
