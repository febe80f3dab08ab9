import { judgeGate } from '../../gates/judge-gate.ts';
import { failureOfCommand } from '../../model/command-failure.ts';
import { ok } from '../../lib/result.ts';
import type { Completion } from '../../model/entry.ts';
import { failure } from '../../model/failure.ts';
import { type OperationName, readOperation, type StepOperations } from '../../model/operations.ts';
import { noteSession } from '../../runtime/session-log.ts';
import { runGit } from '../../workspace/git.ts';
import { afterSessions } from './after-sessions.ts';
import { attemptRunner } from './command.ts';
import { done, failed, withoutEnd } from './completions.ts';
import { digestFiles, digestProgress } from './digest.ts';
import { type Implementations, type OperationContext, perform } from './operation-call.ts';
import { filesRecord, filesRestore } from './project-files.ts';
import { folderOfStep } from './step-folder.ts';

/** What flows, single sessions and compositions need of the machine. */
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
  'files-record': filesRecord,
  'files-restore': filesRestore,
  async after({ parts, attempt, args: { sessions }, how, signal }) {
    const dir = parts.paths.session(attempt.runId);
    const names = sessions.join(', ');
    const again = how === 'launch' ? 'Waits' : 'A process advances the run again: waits';
    noteSession(dir, ['INFO', `${again} for ${names}`]);
    const unmet = await afterSessions(parts, sessions, signal);
    if (unmet === null) noteSession(dir, ['INFO', `Starts now: ${names} succeeded`]);
    if (unmet === 'ended') return withoutEnd('killed', 'the command');
    return done(unmet, unmet?.outcome);
  },
};

/** Loads the operations of plans: flows and sessions need none of them. */
export type LoadPlanOperations = () => Promise<Implementations<Exclude<OperationName, keyof StepOperations>>>;

/** Runs an operation, under the name that is recorded with it. */
export async function runOperation(
  call: Omit<OperationContext, 'workspace'>,
  loadPlanOperations: LoadPlanOperations,
): Promise<Completion> {
  const { parts, attempt, how } = call;
  const { name, args, workspace: wanted } = readOperation(attempt.spec);
  const folder = how === 'launch' ? await folderOfStep(parts, attempt.runId, wanted) : ok(wanted);
  if (!folder.ok) return { at: 'failed', failure: failure('unavailable', folder.error) };
  const context = { ...call, workspace: folder.value };
  if (isIn(stepOperations, name)) return perform(stepOperations, name, args, context);
  const planOperations = await loadPlanOperations();
  if (isIn(planOperations, name)) return perform(planOperations, name, args, context);
  return failed(`this program has no operation '${name}'`);
}

function isIn<Name extends OperationName>(table: Implementations<Name>, name: string): name is Name {
  return Object.hasOwn(table, name);
}
