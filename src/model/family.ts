import { type Json, type JsonObject, plain, recorded } from '../lib/json.ts';
import { shellWord } from '../lib/shell-word.ts';
import { type ComposeInput, writesOfStep } from './compose-input.ts';
import type { AgentSnapshot, FlowInput } from './flow.ts';
import { agentMembers, composeMembers, flowMembers, type Member, sessionMembers } from './members.ts';
import { type ExecuteInput, verifies, withoutWaivers, withReopened } from './plan/execute-input.ts';
import type { PlanInput } from './plan/plan-input.ts';
import { planOfRunId, type TaskRow } from './plan/task-row.ts';
import type { Run } from './run.ts';
import type { SessionInput } from './session-input.ts';

export type FamilyName = 'flow' | 'plan' | 'execute' | 'session' | 'compose';

/** A ceiling of the budget that a run has reached. */
export interface Ceiling {
  /** As the flow file and the option spell it. */
  readonly member: string;
  /** Null: only a flow file names it. */
  readonly option: string | null;
  readonly now: string;
}

/** What a person may have said since a run was started. */
interface LaterWords {
  /** Of the run's plan. */
  readonly tasks: readonly TaskRow[];
  readonly undeclared: ExecuteInput['undeclared'];
}

/** What the runs of one workflow have in common, for everything that handles runs of any workflow. */
export interface Family {
  /** It is one session, and is listed as such. */
  readonly isSession: boolean;
  /** It belongs to the plan that its id names. */
  readonly isOfPlan: boolean;
  /** Its steps are tasks of that plan: the plan's record has them too, and each is tried again as a whole. */
  readonly hasTasks: boolean;
  /** Its steps work in folders of the project, and nowhere else. */
  readonly staysInProject: boolean;
  /** Whether its agents are known from its input alone. */
  readonly namesAgents: boolean;
  /** The project's folder when it was started; null: its input does not say. */
  startedIn(input: JsonObject): string | null;
  /** What an agent of the step may write, as patterns in the folder that it works in; null: any file there. */
  writes(input: JsonObject, step: string): readonly string[] | null;
  /** Its input for the folder that the project was moved to; null: it cannot move. */
  movedTo(input: JsonObject, root: string): JsonObject | null;
  /** Whether its input has what a person said for one command only. */
  waivesOnce(input: JsonObject): boolean;
  /** Its input without what a person said for one command only, and with what they reopened since; null: it is the same. */
  withoutOnce(input: JsonObject, later: LaterWords): Json | null;
  /** Commands and agents that it would start, and what they are told, for a person who decides whether it may. */
  starts(input: JsonObject, tasks: readonly TaskRow[]): readonly Member[];
  /** Continues it with a higher ceiling; null: no command does. `source`: the file of its flow, or its call; null: not known. */
  raise(runId: string, ceiling: Ceiling, source: string | null): string | null;
}

const ordinary: Family = {
  isSession: false,
  isOfPlan: false,
  hasTasks: false,
  staysInProject: false,
  namesAgents: false,
  startedIn: ({ projectDir }) => (typeof projectDir === 'string' ? projectDir : null),
  writes: () => null,
  movedTo: () => null,
  waivesOnce: () => false,
  withoutOnce: () => null,
  starts: () => [],
  raise: () => null,
};

const ofPlan = (command: 'plan' | 'execute'): Family => ({
  ...ordinary,
  isOfPlan: true,
  starts: (input, tasks) => [
    ...commandsOfPlan(recorded<Partial<ExecuteInput & PlanInput>>(input)),
    ...tasks.flatMap(({ task: { id, acceptance_criteria: criteria } }) =>
      criteria.map(({ verification }) => ({ name: `${id} (accept)`, value: verification })),
    ),
    ...membersOfAgents(input),
  ],
  raise: (runId, { member, option, now }) =>
    // No option of these commands sets the depth.
    option === null || member === 'depth'
      ? null
      : `continue with a higher ceiling (now ${now}): tutti ${command} --plan ${planOfRunId(runId)} ${option} N`,
});

/** Commands of the project that judge the work of a plan. */
function commandsOfPlan({
  projectCommands,
  testCommands,
}: Partial<ExecuteInput & PlanInput>): readonly Member[] {
  return (projectCommands ?? testCommands ?? []).map((value) => ({ name: 'command', value }));
}

/** Agents as the run recorded them; each once, whatever it is there for. */
function membersOfAgents({ agents }: JsonObject): readonly Member[] {
  const known = Object.values(recorded<Readonly<Record<string, AgentSnapshot>>>(agents ?? {}));
  const byName = new Map(known.map((agent) => [agent.name, agent]));
  return [...byName].flatMap(([name, agent]) => agentMembers(`agent ${name}`, agent));
}

/** The families of workflows, by name. A new one is one more entry here, and its function in `src/app/workflows.ts`. */
export const families: Readonly<Record<FamilyName, Family>> = {
  flow: {
    ...ordinary,
    staysInProject: true,
    namesAgents: true,
    starts: (input) => [...flowMembers(recorded<FlowInput>(input).flow), ...membersOfAgents(input)],
    movedTo: (input, root) => ({ ...input, projectDir: root }),
    raise: (runId, { member, now }, file) => {
      const [where, name] = file === null ? ['the flow file', 'FILE'] : [shellWord(file), shellWord(file)];
      return `raise ${member} (now ${now}) under budget in ${where}, then: tutti run ${name} --run-id ${runId}`;
    },
  },
  plan: {
    ...ofPlan('plan'),
    // A plan's folder is `<project>/.tutti/plans/<plan>`.
    startedIn: ({ planDir }) =>
      typeof planDir === 'string' ? planDir.split('/').slice(0, -3).join('/') : null,
    waivesOnce: (input) => (input['approvedBy'] ?? null) !== null,
    withoutOnce: (input) => ((input['approvedBy'] ?? null) === null ? null : { ...input, approvedBy: null }),
  },
  execute: {
    ...ofPlan('execute'),
    hasTasks: true,
    waivesOnce: (input) => {
      const known = recorded<ExecuteInput>(input);
      return !verifies(known) || known.undeclared === 'accept';
    },
    withoutOnce: (input, { tasks, undeclared }) => {
      const known = recorded<ExecuteInput>(input);
      const next = withReopened(withoutWaivers(known, tasks, undeclared) ?? known, tasks);
      return next === known ? null : plain(next);
    },
  },
  session: {
    ...ordinary,
    isSession: true,
    starts: (input) => sessionMembers(recorded<SessionInput>(input).spec),
  },
  compose: {
    ...ordinary,
    staysInProject: true,
    starts: (input) => composeMembers(recorded<ComposeInput>(input)),
    writes: (input, step) => writesOfStep(recorded<ComposeInput>(input), step),
    movedTo: (input, root) => ({ ...input, projectDir: root }),
    raise: (runId, { option, now }, source) =>
      option === null
        ? null
        : `repeat the command with a higher ceiling (now ${now}): tutti ${source ?? 'spawn'} … --run-id ${runId} ${option} N`,
  },
};

/** A run of a program that has other families is handled like any run. */
export function familyOf({ workflow }: Pick<Run, 'workflow'>): Family {
  return isFamily(workflow) ? families[workflow] : ordinary;
}

function isFamily(name: string): name is FamilyName {
  return Object.hasOwn(families, name);
}
