import type { ComposeLayer } from '../../model/compose/layer.ts';
import type { Layer } from '../../model/propagation.ts';

/** How a new definition works: from layer 2 up a system prompt (`agent`) or a configuration (`tool`). */
export type TemplateMode = 'agent' | 'tool';

export interface Template {
  readonly ending: 'md' | 'yaml';
  readonly text: string;
}

/** The first text of a definition. It passes the lint as it is, and says what to replace. */
export function writeTemplate(layer: ComposeLayer, name: string, mode: TemplateMode): Template {
  if (layer === 'executor') return { ending: 'md', text: executorTemplate(name) };
  return mode === 'agent'
    ? { ending: 'md', text: promptTemplates[layer](name) }
    : { ending: 'yaml', text: configurations[layer] };
}

function executorTemplate(name: string): string {
  return `---
name: ${name}
description: Say in one sentence what this executor does
timeout: 10m
actions:
  - name: ANALYZE
    description: Say what this action produces
    args: [target]
    gates: [{ tools: 1 }]
  - name: IMPLEMENT
    description: Say what this action produces
    args: [target]
    writes: ["src/**", "test/**"]
    gates: [{ diff: true }]
---
# ${name}

## Role
You are a software engineer. You execute a single task and produce concrete artifacts.

## Input
Prompt format: \`/${name} ACTION TARGET [ARGUMENTS]\`

## Execution protocol
1. VALIDATE: check that the inputs exist.
2. EXECUTE: do the one action that the prompt names.
3. PRODUCE: write the artifacts.
4. VERIFY: check that the artifacts are complete and correct.
5. RETURN: report the status.

## Output
Your last line is EXACTLY one of:
- \`STAGE_<ACTION>_COMPLETE\`: success
- \`STAGE_FAILED: <reason>\`: failure

## Constraints
- Never change files outside the declared scope.
- Never report success without artifacts that can be checked.
- On failure, leave no partial artifacts behind.
`;
}

const promptTemplates: Readonly<Record<Layer, (name: string) => string>> = {
  orchestrator: (name) => `---
name: ${name}
description: Say in one sentence what this orchestrator achieves
---
# ${name}

## Role
You are a STAGE SEQUENCER. You call executors and route on their exit codes. You NEVER execute work directly.

## Stage sequence
| modifier | stages |
|---|---|
| \`full\` | PLAN -> IMPLEMENT -> TEST |
| \`lean\` | IMPLEMENT -> TEST |

## Per-stage protocol
1. CALL: \`tutti executor spec STAGE TARGET --output-format json\`
2. CHECK the exit code: 0 = continue, 1 = call once more, 2 = end with 2.
3. ROUTE to the next stage, or handle the failure.

## Constraints
- NEVER read, write, edit or search files.
- ALL work happens inside executors.
`,
  coordinator: (name) => `---
name: ${name}
description: Say in one sentence what this coordinator achieves
---
# ${name}

## Role
You are a PHASE COORDINATOR. You call orchestrators and track what each phase depends on. You NEVER execute stages or read
source files.

## Phase sequence
| phase | orchestrator | depends on |
|---|---|---|
| 1 | oresearch | none |
| 2 | ospec | phase 1 |

## Per-phase protocol
1. VERIFY that every phase it depends on is complete.
2. CALL: \`tutti orchestrator NAME MODIFIER TARGET --output-format json\`
3. CHECK the result.
4. CHECKPOINT: state which phases are complete.
5. ROUTE to the next phase, call the phase again, or escalate.

## Constraints
- NEVER call executors directly.
- NEVER read or write source files.
`,
  campaign: (name) => `---
name: ${name}
description: Say in one sentence what this campaign achieves
---
# ${name}

## Role
You are a CAMPAIGN CONTROLLER. You run phases through coordinators, have each one verified, and bring decisions to a person.

## Campaign flow
For each phase:
1. CALL: \`tutti coordinator NAME PHASE --output-format json\`
2. VERIFY the phase with \`tutti sentinel\`
3. PASS: state a checkpoint, then continue with the next phase
4. FAIL: call the coordinator again with the findings, at most twice, then escalate

## Constraints
- NEVER call orchestrators or executors directly.
- NEVER skip verification between phases.
`,
};

const configurations: Readonly<Record<Layer, string>> = {
  orchestrator: `description: Say in one sentence what this orchestrator achieves
stages:
  - name: plan
    executor: spec
    args: [PLAN]
  - name: implement
    executor: spec
    args: [IMPLEMENT]
    inputs: [plan]
  - name: test
    executor: spec
    args: [TEST]
modifiers:
  lean: [implement, test]
`,
  coordinator: `description: Say in one sentence what this coordinator achieves
phases:
  - name: research
    orchestrator: oresearch
    modifier: parallel
  - name: build
    orchestrator: ospec
    modifier: lean
`,
  campaign: `description: Say in one sentence what this campaign achieves
phases:
  - name: first
    coordinator: coordinator-example
sentinel:
  checks:
    - name: tests
      command: [npm, test]
      severity: blocking
approvals:
  - after: first
    question: Is the first phase what you want?
`,
};
