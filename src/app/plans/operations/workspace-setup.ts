import { endOnCommit } from '../../../model/plan/base-check.ts';
import { proposeSetup } from '../../../model/project/package-manager.ts';
import type { HookCommands } from '../../../workspace/hooks.ts';
import type { FailedSetup } from '../../../model/plan/execute-parts.ts';
import type { HostParts } from '../../host/host-parts.ts';
import { projectTrust } from '../../trust/project-trust.ts';
import { lookAtProject } from '../../discovery/look-at-project.ts';
import type { SeveralCommands } from './several-commands.ts';

/** A folder that is prepared, and the plan's target that its lock files come from. */
export interface Prepared {
  readonly dir: string;
  readonly target: string;
  /** Commands that fail on the plan's base, and that a person chose to continue without. */
  readonly without: readonly string[];
}

/**
 * How a checkout of a plan is prepared: as `workspace.setup` says, else as the lock files in it ask for. The one place that
 * decides it, for workspaces and for the folder where merged work is judged. A command that the target's own files suggest
 * runs once a person trusted it; one that the plan's own work brought is the plan's.
 */
export function setupFor(
  { config, env }: Pick<HostParts, 'config' | 'env'>,
  { dir, target, without }: Prepared,
): HookCommands {
  const suggested = proposeSetup(lookAtProject(target)).map((argv) => argv.join(' '));
  const { countsCommands } = projectTrust(target, env);
  const commands = config.workspace.setup ?? proposeSetup(lookAtProject(dir));
  return commands.filter((argv) => {
    const command = argv.join(' ');
    return !without.includes(command) && (!suggested.includes(command) || countsCommands([command]));
  });
}

/** Commands that a person chose to continue without: on the plan's base, and later in its run (`since`). */
export async function leftOut(
  { queries }: Pick<HostParts, 'queries'>,
  plan: string,
  since: readonly string[] = [],
): Promise<readonly string[]> {
  return [...((await queries.plans.one(plan))?.base?.without ?? []), ...since];
}

/** The setup command that did not pass, from what ran last and the complaint about it. */
export function failedSetup({ last }: SeveralCommands, output: string): FailedSetup {
  const end = last?.end ?? null;
  return { command: last?.argv.join(' ') ?? '', ...endOnCommit(end), output };
}
