import type { AgentSnapshot } from '../../src/model/flow.ts';
import type { ExecuteInput, ExecuteTask } from '../../src/model/plan/execute-input.ts';
import type { PlanTask } from '../../src/model/plan/plan-task.ts';
import { planOwner } from '../../src/model/owner.ts';

/** A task that owns a file of its own, with one criterion. */
export function task(id: string, needs: readonly string[] = [], rest: Partial<PlanTask> = {}): PlanTask {
  return {
    id,
    name: `Work of ${id}`,
    phase: 1,
    task_type: 'feature',
    context: {
      domain: 'D',
      capability: 'C',
      spec_ref: 'all of it',
      spec_requirements: [],
      steel_thread: false,
    },
    behaviors: [],
    files: [{ path: `src/${id}.txt`, action: 'create', purpose: `what ${id} says` }],
    dependencies: { tasks: needs, external: [] },
    acceptance_criteria: [{ criterion: `the file of ${id} is there`, verification: `test -f src/${id}.txt` }],
    estimate_hours: 1,
    ...rest,
  };
}

function snapshot(name: string): AgentSnapshot {
  return { name, systemPrompt: '', driver: 'command', tier: 'medium', result: 'required' };
}

export function inputOf(tasks: readonly PlanTask[], rest: Partial<ExecuteInput> = {}): ExecuteInput {
  return {
    plan: 'p',
    projectDir: '/project',
    planDir: '/project/.tutti/plans/p',
    target: {
      kind: 'git',
      dir: '/project',
      gitDir: '/state/p/repository.git',
      root: '/project',
      prefix: '',
      state: '/state/p',
      owner: planOwner('p'),
    },
    tasks: tasks.map(
      (one): ExecuteTask => ({
        task: one,
        after: [],
        behaviors: [],
        layers: {},
        attempt: 1,
        done: null,
      }),
    ),
    agents: { executor: snapshot('task-executor'), verifier: snapshot('task-verifier') },
    constraints: { tech_stack: null, project_context: '' },
    checksums: { capability_map: 'c', physical_map: 'p', spec: 's' },
    selected: null,
    undeclared: 'ask',
    sessionTimeoutMs: 60_000,
    acceptanceTimeoutMs: 60_000,
    verify: true,
    ...rest,
  };
}
