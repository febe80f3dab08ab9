import { tellingLines } from '../../../lib/telling-lines.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import { cannotRun, type CommandEnd } from '../../../model/command.ts';
import type { Acceptance } from '../../../model/plan/execute-parts.ts';
import type { AcceptanceCriterion } from '../../../model/plan/plan-task.ts';
import { runCommand } from '../../host/command.ts';
import { done, withoutEnd } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';

/** One acceptance criterion, run by Tutti in the task's workspace; the evidence is recorded, passed or not. */
export async function taskAccept({
  parts,
  attempt,
  args: { criterion, argv, env },
  workspace,
  how,
}: OperationCall<'task-accept'>): Promise<OperationEnd<Acceptance>> {
  const end = await runCommand(parts, attempt, { argv, workspace, env }, how);
  if (typeof end === 'string') return withoutEnd(end);
  const value = acceptanceOf(criterion, end);
  return done(value, value.problem === null ? 'SUCCESS' : 'FAILURE');
}

export function acceptanceOf({ criterion, verification }: AcceptanceCriterion, end: CommandEnd): Acceptance {
  const problem = problemOf(end);
  const evidence = `\`${verification}\` ${howItEnded(end)}`;
  return {
    criterion: {
      name: criterion,
      status: problem === null ? 'PASS' : 'FAIL',
      evidence,
    },
    problem,
    exitCode: end.exitCode,
    output: end.outputTail,
    ...(problem === null ? {} : { finding: `${evidence}: ${lastLines(end)}; log: ${end.log}` }),
  };
}

/** Enough to see what went wrong; the whole is in the log. */
function lastLines({ outputTail }: CommandEnd): string {
  const lines = tellingLines(outputTail, 3);
  return lines.length === 0 ? 'it printed nothing' : oneLine(lines.join(' | '), 300);
}

function problemOf({ exitCode, signal, timedOut }: CommandEnd): Acceptance['problem'] {
  if (timedOut) return 'timeout';
  if (exitCode === 0 && signal === null) return null;
  return cannotRun(exitCode) ? 'unavailable' : 'exit';
}

function howItEnded({ exitCode, signal, timedOut, durationMs }: CommandEnd): string {
  const after = `after ${(durationMs / 1000).toFixed(1)} s`;
  if (timedOut) return `was ended ${after}: it had not ended by itself`;
  if (signal !== null) return `was ended by ${signal} ${after}`;
  return `ended with code ${exitCode ?? 'unknown'} ${after}`;
}
