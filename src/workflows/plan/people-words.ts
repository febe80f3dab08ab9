import type { Json } from '../../lib/json.ts';
import type { AgentPhase } from '../../model/plan/phase.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';

/**
 * What people said about a plan, as far as a phase depends on it: a change is other work. What was found in the project is
 * not among it, and neither is where the project lies.
 */
export function peopleWords(input: PlanInput, phase: AgentPhase): Json {
  if (phase === 'sequencing') return null;
  const { planDir, targetDir, projectType, stack, preferences } = input;
  const about = { target: relativePath(planDir, targetDir), type: projectType, stack };
  const reasons = refusalReasons(input, phase);
  const refused = reasons.length === 0 ? {} : { refused: reasons };
  return phase === 'validation' ? { ...about, preferences, ...refused } : { ...about, ...refused };
}

/** Why people refused earlier tasks: the author makes other ones, and the verifier judges those by it. */
export function refusalReasons(
  { objections = [] }: Pick<PlanInput, 'objections'>,
  phase: AgentPhase,
): readonly string[] {
  return phase === 'definition' || phase === 'validation' ? objections.map(({ reason }) => reason) : [];
}

/** The same wherever the project lies. */
function relativePath(from: string, to: string): string {
  const names = to.split('/');
  const above = from.split('/');
  const shared = above.findIndex((name, index) => names[index] !== name);
  return shared < 0 ? to : [...above.slice(shared).fill('..'), ...names.slice(shared)].join('/');
}

/**
 * Whether a prompt that the first releases rendered contains the same words. In those releases the prompt was part of the
 * key, so a turn whose prompt says something else was other work.
 */
export function saysTheSame(prompt: string, input: PlanInput, phase: AgentPhase): boolean {
  if (phase === 'sequencing') return true;
  // Those releases told no agent why a plan was refused.
  if (refusalReasons(input, phase).length > 0) return false;
  const { targetDir, projectType, stack, preferences } = input;
  const about = `\nTarget Directory: ${targetDir}\nProject Type: ${projectType}\nTech Stack: `;
  const stacks = stack === null ? ['none specified', 'infer from capability-map'] : [stack];
  if (!stacks.some((words) => prompt.includes(`${about}${words}\n`))) return false;
  if (phase !== 'validation') return true;
  // Earlier releases named other files where nothing was found.
  if (preferences === '') return noPreferences.test(prompt);
  return prompt.includes(`\n## User Preferences\n\n${preferences}\n\n## Your Task\n`);
}

const noPreferences = /\n## User Preferences\n\nNone were found \([^\n]*\)\.\n\n## Your Task\n/;
