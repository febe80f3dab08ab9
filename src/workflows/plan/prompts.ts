import type { PlanInput } from '../../model/plan/plan-input.ts';
import { contextBlock, loggingBlock, projectBlock, untilBlock } from './prompt-blocks.ts';

/** The five prompts of planning (seed E), each a function of the run's input and of nothing else. */

export function logicalPrompt(input: PlanInput): string {
  const { planDir, specChecksum } = input;
  const output = `${planDir}/artifacts/capability-map.json`;
  const validate = `tutti plan validate capability_map --plan ${planDir}`;
  return `Extract capabilities and behaviors from the specification.

${loggingBlock('logic-architect', 'Extracting capabilities from spec')}

${contextBlock(input, 'none specified')}

${projectBlock(input, '')}

## Specification Location

The full specification is in: ${planDir}/inputs/spec.md

Read that file for the complete requirements. It was stored word for word. Its SHA-256 is ${specChecksum}.

## Your Task

1. Read ${planDir}/inputs/spec.md
2. **For existing projects:** Consider how new capabilities integrate with the existing structure
3. Extract capabilities using I.P.S.O. decomposition (input, process, state, output) and activation
4. Apply phase filtering (Phase 1 only): what the specification puts off to a later phase goes to phase_filtering
5. **CRITICAL: Write** the map to ${output}, with "spec_checksum": "${specChecksum}"
6. **Verify the file exists**: \`ls -la ${output}\`
7. Validate with: \`${validate}\`

${untilBlock(input, `ls -la ${output}`, validate, 'Capabilities must not duplicate what already exists in the codebase.')}
`;
}

export function physicalPrompt(input: PlanInput): string {
  const { planDir } = input;
  const output = `${planDir}/artifacts/physical-map.json`;
  const validate = `tutti plan validate physical_map --plan ${planDir}`;
  return `Map behaviors to concrete file paths.

${loggingBlock('physical-architect', 'Mapping behaviors to file paths')}

${contextBlock(input, 'infer from capability-map')}

${projectBlock(input, 'Establish sensible conventions.')}

This context tells you where source files and tests go, which naming conventions hold, which patterns to integrate with,
and which files exist already (do not recreate them).

## Your Task

1. Read ${planDir}/artifacts/capability-map.json
2. **For existing projects:** Map behaviors to paths that FIT the existing structure
   - Use existing directories (do not create parallel structures)
   - Follow established naming conventions
   - Integrate with existing modules where appropriate
3. For new projects: Establish a clean, conventional structure
4. Add cross-cutting concerns and infrastructure
5. **CRITICAL: Write** the map to ${output}, with the SHA-256 of capability-map.json as "capability_map_checksum"
   (\`sha256sum ${planDir}/artifacts/capability-map.json\`)
6. **Verify the file exists**: \`ls -la ${output}\`
7. Validate with: \`${validate}\`

${untilBlock(input, `ls -la ${output}`, validate, "Respect the established structure - don't fight it.")}
`;
}

export function definitionPrompt(input: PlanInput): string {
  const { planDir, stack, testCommands } = input;
  const validate = `tutti plan load-tasks --plan ${planDir}`;
  const own =
    testCommands.length === 0
      ? ''
      : `\n\nThe project's own commands: ${testCommands.map((command) => `\`${command}\``).join(', ')}. Each of them must be run, in exactly these words,
by the verification of at least one criterion.`;
  return `Create individual task files from the physical map.

${loggingBlock('task-author', 'Creating task files from physical map')}

${contextBlock(input, 'none specified')}

${projectBlock(input, '')}

Key information for task definitions: testing patterns, linting and formatting requirements, build and run commands, and
integration points with existing code.${own}

## Tech Stack Constraints

${stack ?? 'None.'}

## Your Task

1. Read ${planDir}/artifacts/physical-map.json
2. Read ${planDir}/artifacts/capability-map.json (for behavior details)
3. **For existing projects:** Include acceptance criteria that verify integration:
   - The existing test suite passes
   - Linting passes
   - New code follows established patterns
4. **CRITICAL: Write** each task to ${planDir}/tasks/T001.json, T002.json and so on
5. **Verify the files exist**: \`ls -la ${planDir}/tasks/\`
6. Load the tasks with: \`${validate}\`

${untilBlock(input, `ls ${planDir}/tasks/*.json | wc -l`, validate, 'Tasks must include verification that new code integrates cleanly.')}
`;
}

export function validationPrompt(input: PlanInput): string {
  const { planDir, preferences } = input;
  return `Verify task definitions for planning.

${loggingBlock('task-plan-verifier', 'Verifying task definitions')}

${contextBlock(input, 'none specified')}
Spec: ${planDir}/inputs/spec.md
Capability Map: ${planDir}/artifacts/capability-map.json
Physical Map: ${planDir}/artifacts/physical-map.json
Tasks Directory: ${planDir}/tasks/

${projectBlock(input, '')}

## User Preferences

${preferences === '' ? 'None were found (~/.claude/CLAUDE.md, AGENTS.md).' : preferences}

## Your Task

1. Read the specification, both maps and every task
2. Evaluate each task against the specification, the maps, the project context and the user preferences
3. **Write the report** for people to ${planDir}/reports/task-validation-report.md: an evaluation of each task with
   evidence, each issue with a suggestion how to fix it, each violation of a user preference
4. **CRITICAL: Write the verdict** to ${planDir}/reports/task-validation.json:
   {"verdict": "READY", "summary": "one or two sentences", "issues": ["T003: what is wrong and what would fix it"]}

   - READY: all tasks pass
   - READY_WITH_NOTES: tasks pass, with minor issues noted
   - BLOCKED: critical issues that must be fixed first

   Where the program can be run, this registers the same:
   \`tutti plan validate-tasks <VERDICT> "<summary>" --plan ${planDir}\`
   (the command is validate-tasks, NOT validate-complete or any other variant)

IMPORTANT:
- Change no task and no map: you judge, others fix.
- Use the absolute paths given above. Do NOT use relative paths.
- Without the verdict in that file, or registered, you have FAILED.
`;
}

export function sequencingPrompt(input: PlanInput): string {
  const { planDir } = input;
  const validate = `tutti plan load-tasks --plan ${planDir}`;
  return `Assign phases to tasks and validate the dependency graph.

${loggingBlock('plan-auditor', 'Assigning phases and validating DAG')}

## Context

PLANNING_DIR: ${planDir}
PLANNING_DIR is also in the environment variable TUTTI_PLAN_DIR.

${projectBlock(input, '')}

## Your Task

1. Read ${planDir}/tasks/*.json
2. Read ${planDir}/artifacts/capability-map.json (for steel thread flows)
3. Build the dependency graph
4. Assign phases (1: foundations, 2: steel thread, 3+: features)
5. **CRITICAL: Update the task files** at ${planDir}/tasks/T001.json etc.: the member "phase", and nothing else
6. Validate the graph (no cycles, dependencies in earlier phases or in the same)
7. Run: \`${validate}\`

IMPORTANT:
- You MUST write the changed task files. A task whose phase is right already stays as it is.
- Use the absolute paths given above. Do NOT use relative paths.
`;
}
