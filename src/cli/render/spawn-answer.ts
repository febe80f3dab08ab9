import { recorded } from '../../lib/json.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { SpawnValue } from '../../model/compose-input.ts';
import { exitCodeOf, type Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import type { RunStatus } from '../../app/status/run-status.ts';

const longestSummary = 2000;
const longestPath = 4096;

/** The one answer of `tutti spawn`. `DETACHED`: the conductor has the run, and nothing is known of its end. */
export function spawnAnswer(status: RunStatus, ended: Outcome | 'DETACHED'): Output<'spawn'> {
  const { run, steps, tookMs, message } = status;
  const value =
    run.state.at === 'ended' && run.state.value !== null ? recorded<SpawnValue>(run.state.value) : null;
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

/** `KEY=value` lines. Each value is one word of a shell on one line, so that `eval` can read them. */
export function spawnAnswerLines(answer: Output<'spawn'>): readonly string[] {
  const { summary } = answer;
  const pairs: readonly (readonly [string, string])[] = [
    ['STATUS', answer.status],
    ['EXIT_CODE', String(answer.exit_code)],
    ['RUN_ID', answer.run_id],
    ['SESSION_ID', answer.session_id ?? ''],
    ['TRACE_ID', answer.trace_id],
    ['DEPTH', String(answer.depth)],
    ['ELAPSED_SECONDS', String(answer.elapsed_seconds)],
    ...answer.artifacts.map((path) => ['ARTIFACT', oneLine(path, longestPath)] as const),
    ...(summary === null ? [] : [['SUMMARY', oneLine(summary, longestSummary)] as const]),
  ];
  return pairs.map(([name, value]) => `${name}=${value === '' ? '' : shellWord(value)}`);
}
