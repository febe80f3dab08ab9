import { getKnown } from '../../lib/get-known.ts';
import { type Graph, graphOf, type GraphProblem } from '../graph.ts';
import { behaviorsOf, type CapabilityMap } from './capability-map.ts';
import { type PlanFacts, type PlanIssue, taskFile } from './plan-facts.ts';
import type { PlanTask } from './plan-task.ts';
import { nodesOf } from './serialise.ts';
import { criteriaIssues } from './validate-criteria.ts';
import { fileIssues } from './validate-task-files.ts';
import { phaseIssues, steelThreadIssues } from './validate-task-order.ts';

const shownOfCycle = 10;

/** What the form of one task cannot say, and what all of them must be together. */
export function validateTasks(
  tasks: readonly PlanTask[],
  capabilities: CapabilityMap,
  facts: PlanFacts,
  graph = graphOf(nodesOf(tasks)),
): readonly PlanIssue[] {
  return [
    ...behaviorIssues(tasks, capabilities),
    ...quoteIssues(tasks, facts),
    ...criteriaIssues(tasks, facts),
    ...(graph.ok ? [] : graphIssues(graph.error, tasks)),
    ...fileIssues(tasks, graph.ok ? graph.value : null, facts),
    ...(graph.ok ? orderIssues(tasks, capabilities, graph.value, facts) : []),
  ];
}

function orderIssues(
  tasks: readonly PlanTask[],
  capabilities: CapabilityMap,
  graph: Graph,
  { sequenced }: PlanFacts,
): readonly PlanIssue[] {
  const steel = steelThreadIssues(tasks, capabilities, graph);
  return sequenced ? [...steel, ...phaseIssues(tasks, capabilities, graph)] : steel;
}

function behaviorIssues(tasks: readonly PlanTask[], capabilities: CapabilityMap): readonly PlanIssue[] {
  const issues: PlanIssue[] = [];
  const missing = new Map(behaviorsOf(capabilities).map(({ behavior }) => [behavior.id, behavior.name]));
  const owners = new Map<string, string>();
  for (const { id, behaviors } of tasks) {
    for (const [index, behavior] of behaviors.entries()) {
      const say = (message: string): unknown =>
        issues.push({ file: taskFile(id), path: ['behaviors', index], message });
      const owner = owners.get(behavior);
      if (owner !== undefined)
        say(`${behavior} is in ${owner === id ? 'this task twice' : `${owner} already`}`);
      else if (!missing.delete(behavior)) say(`${behavior} is no behavior of artifacts/capability-map.json`);
      owners.set(behavior, owner ?? id);
    }
  }
  for (const [id, name] of missing) {
    issues.push({ file: 'tasks', path: [], message: `no task has behavior ${id} (${name})` });
  }
  return issues;
}

function quoteIssues(tasks: readonly PlanTask[], facts: PlanFacts): readonly PlanIssue[] {
  return tasks
    .filter(({ context }) => !facts.occurs(context.spec_ref))
    .map(({ id }) => ({
      file: taskFile(id),
      path: ['context', 'spec_ref', 'quote'],
      message: 'does not occur in inputs/spec.md',
    }));
}

function graphIssues(problems: readonly GraphProblem[], tasks: readonly PlanTask[]): readonly PlanIssue[] {
  const needs = new Map(tasks.map(({ id, dependencies }) => [id, dependencies.tasks]));
  return problems.map((problem) => inTask(problem, needs));
}

function inTask(problem: GraphProblem, needs: ReadonlyMap<string, readonly string[]>): PlanIssue {
  const path = ['dependencies', 'tasks'];
  switch (problem.kind) {
    case 'duplicate':
      return { file: taskFile(problem.id), path: ['id'], message: `${problem.id} is used twice` };
    case 'unknown':
      return {
        file: taskFile(problem.id),
        path: [...path, getKnown(needs, problem.id).indexOf(problem.need)],
        message: `there is no task ${problem.need}`,
      };
    case 'cycle': {
      const [first = '', ...rest] = problem.path;
      const shown = rest.length > shownOfCycle ? [...rest.slice(0, shownOfCycle), '…', first] : rest;
      return {
        file: taskFile(first),
        path,
        message: `these tasks wait for each other: ${[first, ...shown].join(' → ')}`,
      };
    }
  }
}
