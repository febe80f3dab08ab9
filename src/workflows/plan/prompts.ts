import type { PlanInput } from '../../model/plan/plan-input.ts';
import { contextBlock, outputBlock, projectBlock, refusalBlock } from './prompt-blocks.ts';

/** The five prompts of planning (seed E), each a function of the run's input and of what earlier phases made. */

export function logicalPrompt(input: PlanInput): string {
  const { planDir, specChecksum } = input;
  return `Extract capabilities and behaviors from the specification.

${contextBlock(input, 'none specified')}

${projectBlock(input, '')}

## Your Task

1. Read the whole specification: ${planDir}/inputs/spec.md
2. Extract capabilities by I.P.S.O. decomposition (input, process, state, output) and activation. In an existing project,
   leave out what the code does already.
3. Plan phase 1 only. List what the specification puts off to a later phase in phase_filtering.
4. Write the map to ${planDir}/artifacts/capability-map.json, with "spec_checksum": "${specChecksum}"

${outputBlock(input, 'Capabilities must not duplicate what the codebase has already.')}
`;
}

/** `checksum`: of the capability map, so that the agent needs no program to compute it. */
export function physicalPrompt(input: PlanInput, checksum: string): string {
  const { planDir } = input;
  return `Map behaviors to concrete file paths.

${contextBlock(input, 'infer from capability-map')}

${projectBlock(input, 'Establish sensible conventions.')}

## Your Task

1. Read ${planDir}/artifacts/capability-map.json
2. Give every behavior its files and tests. In an existing project use its directories, naming and modules, and recreate no
   file that exists. In a new project choose a plain, conventional structure.
3. Add cross-cutting concerns and infrastructure.
4. Write the map to ${planDir}/artifacts/physical-map.json, with "capability_map_checksum": "${checksum}"

${outputBlock(input, 'Follow the established structure. Create no parallel one.')}
`;
}

export function definitionPrompt(input: PlanInput): string {
  const { planDir, testCommands } = input;
  const own =
    testCommands.length === 0
      ? ''
      : `\n\nThe project's own commands: ${testCommands.map((command) => `\`${command}\``).join(', ')}. The verification of at least one
criterion must run each of them, in exactly these words.`;
  return `Create individual task files from the physical map.

${contextBlock(input, 'none specified')}

${projectBlock(input, '')}${own}${refusalBlock(input, 'definition')}

## Your Task

1. Read ${planDir}/artifacts/physical-map.json
2. Read ${planDir}/artifacts/capability-map.json for the details of behaviors
3. Write each task to ${planDir}/tasks/T001.json, T002.json and so on

${outputBlock(input, 'Acceptance criteria must verify integration: the existing tests and linters still pass.')}
`;
}

export function validationPrompt(input: PlanInput): string {
  const { planDir, preferences } = input;
  return `Verify task definitions for planning.

${contextBlock(input, 'none specified')}
Spec: ${planDir}/inputs/spec.md
Capability Map: ${planDir}/artifacts/capability-map.json
Physical Map: ${planDir}/artifacts/physical-map.json
Tasks Directory: ${planDir}/tasks/

${projectBlock(input, '')}${refusalBlock(input, 'validation')}

## User Preferences

${preferences === '' ? 'None were found (personal instructions).' : preferences}

## Your Task

1. Read the specification, both maps and every task
2. Judge each task against the specification, the maps, the project context and the user preferences
3. Write a report for people to ${planDir}/reports/task-validation-report.md: for each task the evidence, each issue with a
   suggestion how to fix it, each violation of a user preference
4. Write the verdict to ${planDir}/reports/task-validation.json:
   {"verdict": "READY", "summary": "one or two sentences", "issues": ["T003: what is wrong and what would fix it"]}

   - READY: all tasks pass
   - READY_WITH_NOTES: tasks pass, with minor issues noted
   - BLOCKED: critical issues that must be fixed first

## Rules

- Only the verdict in that file counts.
- Change no task and no map: you judge, others fix.
`;
}

export function sequencingPrompt(input: PlanInput): string {
  const { planDir } = input;
  return `Assign phases to tasks and check the dependency graph.

## Context

PLANNING_DIR: ${planDir}

## Your Task

1. Read ${planDir}/tasks/*.json
2. Read ${planDir}/artifacts/capability-map.json for the steel thread
3. Assign phases (1: foundations, 2: steel thread, 3 and more: features). A task needs tasks of the same phase or of earlier
   ones only, and there are no cycles.
4. Write the phase into the task files: the member "phase", and nothing else. A task whose phase is right stays as it is.

Tutti checks the graph when you end and returns every mistake it finds.
`;
}
