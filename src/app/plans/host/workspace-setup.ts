import { proposeSetup } from '../../../model/project/package-manager.ts';
import type { HookCommands } from '../../../workspace/hooks.ts';
import type { HostParts } from '../../host/host-parts.ts';
import { lookAtProject } from '../planning/look-at-project.ts';

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

/** Commands that fail on the plan's base, and that a person chose to continue without. */
export function leftOut({ queries }: Pick<HostParts, 'queries'>, plan: string): readonly string[] {
  return queries.plans.one(plan)?.base?.without ?? [];
}
