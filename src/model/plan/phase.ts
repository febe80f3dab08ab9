/** Where a plan stands (seed E). The last two are execution; `ready` waits for an approval and for `execute`. */
export type PlanPhase =
  | 'ingestion'
  | 'logical'
  | 'physical'
  | 'definition'
  | 'validation'
  | 'sequencing'
  | 'ready'
  | 'executing'
  | 'complete';

export const planPhases: readonly PlanPhase[] = [
  'ingestion',
  'logical',
  'physical',
  'definition',
  'validation',
  'sequencing',
  'ready',
  'executing',
  'complete',
];

/** Phases in which an agent writes something that code then checks. */
export type AgentPhase = Extract<
  PlanPhase,
  'logical' | 'physical' | 'definition' | 'validation' | 'sequencing'
>;

export const phaseAgents: Readonly<Record<AgentPhase, string>> = {
  logical: 'logic-architect',
  physical: 'physical-architect',
  definition: 'task-author',
  validation: 'task-plan-verifier',
  sequencing: 'plan-auditor',
};

export const executorAgent = 'task-executor';
/** Never the one that did the work (P2). */
export const verifierAgent = 'task-verifier';

export function phaseAfter(phase: PlanPhase): PlanPhase | null {
  return planPhases[planPhases.indexOf(phase) + 1] ?? null;
}

/** Has the plan come this far? */
export function isAtLeast(phase: PlanPhase, wanted: PlanPhase): boolean {
  return planPhases.indexOf(phase) >= planPhases.indexOf(wanted);
}
