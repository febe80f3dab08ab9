import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../lib/atomic-file.ts';
import { contextWithout } from '../../model/plan/context-demands.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { readJsonForm } from '../../model/schemas/json-document.ts';
import { planContextForm } from '../../model/schemas/plan-context.ts';
import type { PlanPaths } from './plan-paths.ts';
import { readPlanFile } from './plan-file.ts';

const file = 'inputs/context.json';
const maxBytes = 4 * 1024 * 1024;

/**
 * What was found out about the target before anything was planned. Taken once and kept: what the plan itself builds must
 * not become a reason to plan it again.
 */
export interface PlanContext {
  /** The seed's PROJECT_CONTEXT: goes to every planner; bundles name its file. */
  readonly projectContext: string;
  /** The project's own tests and linters. */
  readonly testCommands: readonly string[];
  /** Commands that a person chose to continue without, on the plan's base or in its run. */
  readonly waivedCommands: readonly string[];
  /** What the user wants of every plan; for the verifier. */
  readonly preferences: string;
}

export function savePlanContext({ dir }: Pick<PlanPaths, 'dir'>, context: PlanContext): void {
  const { projectContext, testCommands, waivedCommands, preferences } = context;
  const document = {
    project_context: projectContext,
    test_commands: testCommands,
    waived_commands: waivedCommands,
    preferences,
  };
  replaceFile(join(dir, file), `${JSON.stringify(document, null, 2)}\n`);
}

/** Tells every agent that reads the file from now on which commands need not pass. */
export function tellWaived(paths: Pick<PlanPaths, 'dir'>, waivedCommands: readonly string[]): void {
  const context = readPlanContext(paths);
  if (context === null) return;
  const projectContext = contextWithout(context.projectContext, waivedCommands);
  savePlanContext(paths, { ...context, projectContext, waivedCommands });
}

/** Commands of the project that tasks must keep passing: those that pass on the base. */
export function requiredCommands(
  { base }: Pick<PlanRecord, 'base'>,
  context: PlanContext | null,
): readonly string[] {
  return (context?.testCommands ?? []).filter((command) => base?.without.includes(command) !== true);
}

/** The next look is a first one. */
export function forgetPlanContext({ dir }: Pick<PlanPaths, 'dir'>): void {
  rmSync(join(dir, file), { force: true });
}

/** Null: nobody has looked yet, or somebody has spoilt the file. */
export function readPlanContext({ dir }: Pick<PlanPaths, 'dir'>): PlanContext | null {
  const text = readPlanFile(dir, file, maxBytes);
  const form = text.ok ? readJsonForm(planContextForm, text.value, file) : null;
  if (form === null || !form.ok) return null;
  const { project_context: projectContext, test_commands: testCommands, preferences } = form.value;
  return { projectContext, testCommands, waivedCommands: form.value.waived_commands ?? [], preferences };
}
