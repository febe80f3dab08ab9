import { isObject, type Json, plain, recorded, textMember } from '../../lib/json.ts';
import { failureOfCommand } from '../../model/command.ts';
import type { Completion } from '../../model/entry.ts';
import { failure } from '../../model/failure.ts';
import type { GateSpec } from '../../model/flow.ts';
import type { GateEvidence } from '../../model/gate.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import { commandGate } from '../../gates/command.ts';
import { diffGate } from '../../gates/diff.ts';
import { fileGate } from '../../gates/file.ts';
import { schemaGate } from '../../gates/schema.ts';
import { toolsGate } from '../../gates/tools.ts';
import { noteSession } from '../../runtime/session-log.ts';
import { runGit } from '../../workspace/git.ts';
import { afterSessions } from './after-task.ts';
import { type Command, type NoEnd, runCommand } from './command-task.ts';
import { digestFiles, digestWorkspace } from './digest-task.ts';
import type { HostParts } from './host-parts.ts';

/** The named host tasks of this program, by the name that is recorded with them. */
export async function runTask(
  parts: HostParts,
  attempt: LaunchedAttempt,
  how: 'launch' | 'adopt',
  signal: AbortSignal,
): Promise<Completion> {
  const { spec } = attempt;
  if (!isObject(spec)) return unknownTask('');
  const [name, workspace] = [textMember(spec, 'name'), textMember(spec, 'workspace')];
  const args = spec['args'];
  if (!isObject(args)) return unknownTask(name);
  switch (name) {
    case 'command': {
      const argv = recorded<Command['argv']>(args['argv']);
      const end = await runCommand(parts, attempt, { argv, workspace }, how);
      if (typeof end === 'string') return withoutEnd(end);
      return { at: 'done', outcome: failureOfCommand(argv, end)?.outcome ?? 'SUCCESS', value: plain(end) };
    }
    case 'gate': {
      const found = await runGate(parts, attempt, args, workspace, how);
      if (typeof found === 'string') return withoutEnd(found);
      return { at: 'done', outcome: found.passed ? 'SUCCESS' : 'FAILURE', value: plain(found) };
    }
    case 'digest':
      return done(await digestFiles(workspace, recorded<readonly string[]>(args['globs'])));
    case 'progress':
      return done(await digestWorkspace(workspace, recorded<readonly string[]>(args['artifacts'])));
    case 'after': {
      const dir = parts.paths.session(attempt.runId);
      const ids = recorded<readonly string[]>(args['sessions']);
      const again = how === 'launch' ? 'Waits' : 'A process drives the run again: waits';
      noteSession(dir, ['INFO', `${again} for ${ids.join(', ')}`]);
      const failed = await afterSessions(parts, ids, signal);
      if (failed === null) noteSession(dir, ['INFO', `Starts now: ${ids.join(', ')} succeeded`]);
      if (failed === 'ended') return withoutEnd('killed');
      return { at: 'done', outcome: failed?.outcome ?? 'SUCCESS', value: plain(failed) };
    }
    default: {
      // Flows and sessions need none of it.
      const { planTasks } = await import('../plans/host/plan-tasks.ts');
      const task = Object.hasOwn(planTasks, name) ? planTasks[name] : undefined;
      return task === undefined ? unknownTask(name) : task({ parts, attempt, args, workspace, how, signal });
    }
  }
}

async function runGate(
  parts: HostParts,
  attempt: LaunchedAttempt,
  args: { readonly [name: string]: Json },
  workspace: string,
  how: 'launch' | 'adopt',
): Promise<GateEvidence | NoEnd> {
  const gate = recorded<GateSpec>(args['gate']);
  switch (gate.kind) {
    case 'command': {
      const end = await runCommand(parts, attempt, { argv: gate.argv, workspace }, how);
      return typeof end === 'string' ? end : commandGate(gate, end);
    }
    case 'file':
      return fileGate(gate, workspace);
    case 'schema':
      return schemaGate(gate, { workspace, projectDir: parts.paths.root });
    case 'diff':
      return diffGate((gitArgs) => runGit(workspace, gitArgs));
    case 'tools':
      return toolsGate(gate, Number(args['toolCalls']));
    case 'approval':
      throw new Error('an approval is asked by the workflow, not run on a host');
  }
}

function withoutEnd(how: NoEnd): Completion {
  if (how === 'lost') return { at: 'lost' };
  return { at: 'failed', failure: failure('ended', 'the command was ended before it finished') };
}

function done(value: Json): Completion {
  return { at: 'done', outcome: 'SUCCESS', value };
}

function unknownTask(name: string): Completion {
  return { at: 'failed', failure: failure('error', `this program has no host task '${name}'`) };
}
