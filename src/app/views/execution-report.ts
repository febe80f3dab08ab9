import { formatDuration } from '../../lib/duration.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { exitCodeOf } from '../../model/outcome.ts';
import { stepIdOf } from '../../model/key.ts';
import { abbreviateTold } from '../../model/message.ts';
import type { Session } from '../../model/session.ts';
import { instant, type RunStatus } from '../status/run-status.ts';
import { labelOf, type StepStatus } from '../status/step-status.ts';
import { dollars } from '../../lib/dollars.ts';

/** What happened, for a person: seed A's consolidated report. */
export function executionReport(status: RunStatus, sessions: readonly Session[]): string {
  const { run, steps, outcome, message, budget, questions, incidents } = status;
  const end = outcome === null ? status.state : `${outcome} (exit code ${exitCodeOf(outcome)})`;
  const lines = [
    `# Execution report: ${run.id}`,
    '',
    `- Workflow: ${run.workflow}`,
    `- Outcome: ${end}`,
    ...reasonLine(message, steps),
    `- Started: ${instant(run.startedAt) ?? ''}`,
    ...(run.endedAt === null
      ? []
      : [`- Ended: ${instant(run.endedAt) ?? ''} (${formatDuration(status.tookMs)})`]),
    `- Trace: ${run.traceId}`,
    '',
    '## Steps',
    '',
    '| step | state | outcome | attempts | time | sessions |',
    '|---|---|---|---|---|---|',
    ...steps.map(stepRow),
    ...problems(steps),
    ...incidentLines(incidents),
    ...(questions.length === 0
      ? []
      : [
          '',
          '## Open questions',
          '',
          ...questions.map(({ id, question }) => `- ${id}: ${oneLine(question.text)}`),
        ]),
    ...(sessions.length === 0 ? [] : ['', '## Agent sessions', '', ...sessionTable(sessions)]),
  ];
  if (budget !== null) {
    const { spent, limits } = budget;
    // Unknown is not zero: sums are lower bounds as soon as one turn told nothing.
    const least = spent.unpriced === 0 ? '' : 'at least ';
    const untold = spent.unpriced === 0 ? [] : [`- Turns of unknown price: ${spent.unpriced}`];
    const of = (limit: number | undefined) => (limit === undefined ? '' : ` of ${limit}`);
    lines.push(
      '',
      '## Budget',
      '',
      `- Launches: ${spent.launches}${of(limits.launches)}`,
      `- Tokens: ${least}${spent.tokens}${of(limits.tokens)}`,
      `- Cost: ${least}${dollars(spent.costUsd)}${limits.costUsd === undefined ? '' : ` of ${dollars(limits.costUsd)}`}`,
      ...untold,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Why steps failed stands once, below "What went wrong". */
function reasonLine(message: string | null, steps: readonly StepStatus[]): string[] {
  if (message === null) return [];
  const rest = abbreviateTold(
    message,
    steps.flatMap(({ id, message: why }) => (why === null ? [] : [`${id}: ${why}`])),
  );
  return [`- Reason: ${oneLine(rest, 500)}${rest === message ? '' : ' (see "What went wrong")'}`];
}

function stepRow(step: StepStatus): string {
  // A view of the same facts is the same: time that still runs is not in it.
  const isUnderWay = step.state === 'running' || step.state === 'queued';
  const time = isUnderWay || step.tookMs === null ? '' : formatDuration(step.tookMs);
  const cells = [
    labelOf(step),
    step.state,
    step.outcome ?? '',
    String(step.attempts),
    time,
    sessionsOf(step).join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Every session that worked for a step, the first one first: executor, healing turns, verifier. */
function sessionsOf({ parts }: StepStatus): readonly string[] {
  return [...new Set(parts.flatMap(({ sessionId }) => sessionId ?? []))];
}

function problems(steps: readonly StepStatus[]): string[] {
  const told = steps.filter(({ message }) => message !== null);
  if (told.length === 0) return [];
  return [
    '',
    '## What went wrong',
    '',
    ...told.map(({ id, message }) => `- ${id}: ${oneLine(message ?? '', 500)}`),
  ];
}

function incidentLines(incidents: RunStatus['incidents']): string[] {
  if (incidents.length === 0) return [];
  return ['', '## On the way', '', ...incidents.map(({ step, text }) => `- ${step}: ${text}`)];
}

function sessionTable(sessions: readonly Session[]): string[] {
  return [
    '| session | step | agent | driver | tier | status | outcome | tokens in | tokens out | cost |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...sessions.map(({ id, key, agent, driver, tier, status, outcome, usage }) => {
      const told = (value: number | null | undefined) =>
        value === null || value === undefined ? 'unknown' : String(value);
      const cost = usage?.costUsd ?? null;
      const used = [
        told(usage?.inputTokens),
        told(usage?.outputTokens),
        cost === null ? 'unknown' : dollars(cost),
      ];
      return `| ${[id, stepIdOf(key), agent, driver, tier, status, outcome ?? '', ...used].join(' | ')} |`;
    }),
  ];
}
