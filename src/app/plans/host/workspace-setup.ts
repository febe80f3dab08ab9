import { proposeSetup } from '../../../model/project/package-manager.ts';
import type { HookCommands } from '../../../workspace/hooks.ts';
import type { FailedSetup } from '../../../model/plan/execute-parts.ts';
import type { HostParts } from '../../host/host-parts.ts';
import { lookAtProject } from '../planning/look-at-project.ts';
import type { SeveralCommands } from './several-commands.ts';

/**
 * How a checkout of a plan is prepared: as `workspace.setup` says, else as the lock files in it ask for. The one place that
 * decides it, for workspaces and for the folder where merged work is judged.
 */
export function setupFor(
  { config }: Pick<HostParts, 'config'>,
  dir: string,
  without: readonly string[],
): HookCommands {
  const commands = config.workspace.setup ?? proposeSetup(lookAtProject(dir));
  return commands.filter((argv) => !without.includes(argv.join(' ')));
}

/** Commands that a person chose to continue without: on the plan's base, and later in its run (`since`). */
export function leftOut(
  { queries }: Pick<HostParts, 'queries'>,
  plan: string,
  since: readonly string[] = [],
): readonly string[] {
  return [...(queries.plans.one(plan)?.base?.without ?? []), ...since];
}

/** The setup command that did not pass, from what ran last and the complaint about it. */
export function failedSetup({ last }: SeveralCommands, output: string): FailedSetup {
  return { command: last?.argv.join(' ') ?? '', exitCode: last?.exitCode ?? null, output };
}
