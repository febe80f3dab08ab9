import { judgeGate } from '../../gates/judge-gate.ts';
import { failureOfCommand } from '../../model/command-failure.ts';
import { ok } from '../../lib/result.ts';
import type { Completion } from '../../model/entry.ts';
import { failure } from '../../model/failure.ts';
import { type OperationName, readOperation, type StepOperations } from '../../model/operations.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import { noteSession } from '../../runtime/session-log.ts';
import { runGit } from '../../workspace/git.ts';
import { afterSessions } from './after.ts';
import { attemptRunner } from './command.ts';
import { done, failed, withoutEnd } from './completions.ts';
import { digestFiles, digestProgress } from './digest.ts';
import type { HostParts } from './host-parts.ts';
import { type Implementations, perform } from './operation-call.ts';
import { folderOfStep } from './step-folder.ts';

/** What flows and single sessions need of the machine. */
const stepOperations: Implementations<keyof StepOperations> = {
  async command(call) {
    const { argv } = call.args;
    const end = await attemptRunner(call)({ argv, cwd: call.workspace });
    if (typeof end === 'string') return withoutEnd(end, 'the command');
    return done(end, failureOfCommand(argv, end)?.outcome);
  },
  async gate(call) {
    const { parts, args, workspace } = call;
    const found = await judgeGate(args.gate, {
      workspace,
      projectDir: parts.paths.root,
      toolCalls: args.toolCalls,
      run: attemptRunner(call),
      git: (words) => runGit(workspace, words),
    });
    if (typeof found === 'string') return withoutEnd(found, 'the command');
    return done(found, found.passed ? 'SUCCESS' : 'FAILURE');
  },
  async digest({ args, workspace }) {
    return done(await digestFiles(workspace, args.globs));
  },
  async progress({ args, workspace }) {
    return done(await digestProgress(workspace, args.artifacts));
  },
  async after({ parts, attempt, args: { sessions }, how, signal }) {
    const dir = parts.paths.session(attempt.runId);
    const names = sessions.join(', ');
    const again = how === 'launch' ? 'Waits' : 'A process drives the run again: waits';
    noteSession(dir, ['INFO', `${again} for ${names}`]);
    const unmet = await afterSessions(parts, sessions, signal);
    if (unmet === null) noteSession(dir, ['INFO', `Starts now: ${names} succeeded`]);
    if (unmet === 'ended') return withoutEnd('killed', 'the command');
    return done(unmet, unmet?.outcome);
  },
};

/** Runs an operation, under the name that is recorded with it. */
export async function runOperation(
  parts: HostParts,
  attempt: LaunchedAttempt,
  how: 'launch' | 'adopt',
  signal: AbortSignal,
): Promise<Completion> {
  const { name, args, workspace: wanted } = readOperation(attempt.spec);
  const folder = how === 'launch' ? folderOfStep(parts, attempt.runId, wanted) : ok(wanted);
  if (!folder.ok) return { at: 'failed', failure: failure('unavailable', folder.error) };
  const workspace = folder.value;
  const context = { parts, attempt, workspace, how, signal };
  if (isIn(stepOperations, name)) return perform(stepOperations, name, args, context);
  // Flows and sessions need none of it.
  const { planOperations } = await import('../plans/host/plan-operations.ts');
  const all: Implementations<OperationName> = { ...stepOperations, ...planOperations };
  if (isIn(all, name)) return perform(all, name, args, context);
  return failed(`this program has no operation '${name}'`);
}

function isIn<Name extends OperationName>(table: Implementations<Name>, name: string): name is Name {
  return Object.hasOwn(table, name);
}
