/** Files that must pass, by their path below `compose/`. `beside`: further files that they need. */
export interface SoundFile {
  readonly path: string;
  readonly text: string;
  readonly beside?: Readonly<Record<string, string>>;
}

export const soundFiles: readonly SoundFile[] = [
  {
    path: 'orchestrators/seed.json',
    text: `{
  "stages": [
    { "name": "research", "executor": "spec.py", "args": ["RESEARCH"], "model": "medium-tier", "retry": 1, "required": true },
    { "name": "implement", "executor": "spec.py", "args": ["IMPLEMENT"], "model": "high-tier", "retry": 1, "required": true },
    { "name": "test", "executor": "spec.py", "args": ["TEST"], "model": "low-tier", "retry": 0, "required": false }
  ]
}`,
  },
  {
    path: 'coordinators/seed.json',
    text: `{ "phases": [
  { "name": "phase-01", "orchestrator": "oresearch.py", "modifier": "parallel", "retry": 1, "required": true },
  { "name": "phase-02", "orchestrator": "ospec.py", "modifier": "lean", "needs": ["phase-01"] }
] }`,
  },
  {
    path: 'executors/migrate.md',
    text: `---
name: migrate
description: Moves a module from one framework version to the next
actions:
  - name: ANALYZE
    args: [module, "depth?"]
    writes: ["notes/**"]
  - name: MIGRATE
    args: [module]
    writes: ["src/**", "test/**"]
    gates:
      - diff: true
      - command: [npm, test]
        timeout: 5m
      - verifier: reviewer
    timeout: 45m
  - name: VERIFY
    tier: low-tier
    answers: [YES, NO]
---
# Migrate

## Role
You are a software engineer who migrates code. You execute a single task.

## Input
Prompt format: \`/migrate ACTION MODULE [ARGUMENTS]\`. Read the documentation at https://example.org/migrating/v5.html first.

## Constraints
- Never change files outside <module>/ and input/output handling.
- Do not call \`tutti executor\` or any other layer.
`,
  },
  {
    path: 'executors/plain.md',
    text: 'You are a translator.\r\nTranslate the text that you get into plain English.\r\n',
  },
  {
    path: 'executors/inline.yaml',
    text: `# yaml-language-server: $schema=../../node_modules/tutti/schemas/executor.schema.json
description: Answers one question
tier: low
allow: []
system_prompt: |
  You are a librarian. Answer with one of the given words.
actions:
  - { name: DECIDE, answers: [RETRY, ABORT, ASK] }
`,
  },
  {
    path: 'executors/outside.json',
    text: `{"$schema": "../../schemas/executor.schema.json", "description": "Writes release notes",
 "system_prompt_file": "prompts/outside.md", "model": "high-tier",
 "actions": [{"name": "WRITE", "writes": ["CHANGELOG.md"], "gates": [{"file": "CHANGELOG.md"}]}]}`,
    beside: {
      'executors/prompts/outside.md': 'You are a technical writer.\nWrite for people who upgrade.\n',
    },
  },
  {
    path: 'orchestrators/release.yaml',
    text: `description: Prepares a release
stages:
  - name: notes
    executor: spec
    args: [DOCUMENT, CHANGELOG.md]
    needs: []
  - name: check
    executor: spec
    args: [TEST]
    needs: []
    tier: medium
    timeout: 1h
  - name: review
    executor: spec
    args: [REVIEW]
    needs: [notes, check]
    inputs: [notes, check]
    on_depth: escalate
modifiers:
  lean: [check, review]
`,
  },
  {
    path: 'orchestrators/squeezable.yaml',
    text: `stages:
  - { name: plan, executor: spec, args: [PLAN], on_depth: compress, compressible: true }
  - { name: build, executor: spec, args: [IMPLEMENT], on_depth: compress, compressible: true, inputs: [plan] }
`,
  },
  {
    path: 'orchestrators/own-full.yaml',
    text: `stages:
  - { name: build, executor: spec, args: [IMPLEMENT] }
  - { name: test, executor: spec, args: [TEST] }
  - { name: extras, executor: spec, args: [DOCUMENT], required: false }
modifiers: { full: [build, test], everything: [build, test, extras] }
`,
  },
  {
    path: 'orchestrators/any-word.yaml',
    text: `description: Uses an agent of the project as an executor
stages:
  - { name: draft, executor: poet, args: [RHYME, "with four lines"] }
  - { name: polish, executor: poet, inputs: [draft] }
`,
    beside: { '../agents/poet.md': '---\ndescription: Writes poems\n---\nYou are a poet.\n' },
  },
  {
    path: 'orchestrators/skilled.yaml',
    text: `stages:
  - { name: query, executor: sql, args: [EXPLAIN] }
  - { name: fix, executor: tune, args: [INDEX] }
`,
    beside: {
      '../skills/sql/SKILL.md': '---\nname: sql\n---\nYou are a database expert.\n',
      '../.claude/commands/tune.md':
        '---\nallowed-tools: Bash\n---\nYou are a tuner. Read /etc/db/tune.conf first.\n',
    },
  },
  {
    path: 'orchestrators/dynamic.md',
    text: `---
description: Decides after each stage
tier: high-tier
timeout: 2h
---
## Role
You are a STAGE SEQUENCER.

| modifier | stages |
|---|---|
| \`full\` | RESEARCH -> PLAN -> TEST |

CALL: \`tutti executor spec STAGE TARGET --output-format json\`
NEVER call \`tutti spawn\` and never pass --system-prompt.
`,
  },
  {
    path: 'coordinators/parallel.yaml',
    text: `description: Two independent parts, then a third
phases:
  - { name: api, orchestrator: ospec, modifier: lean, needs: [], args: [api.md] }
  - { name: web, orchestrator: ospec, modifier: lean, needs: [], args: [web.md], timeout: 3h }
  - { name: docs, orchestrator: ospec, modifier: leanest, needs: [api, web], required: false, retry: 0 }
`,
  },
  {
    path: 'coordinators/mixed.yaml',
    text: `phases:
  - name: explore
    orchestrator: oresearch
    args: ["How do teams run tests before a release, and what follows?"]
  - name: build
    orchestrator: ospec-agent
    modifier: anything
    args: [spec.md]
`,
  },
  {
    path: 'coordinators/prompted.md',
    text: `---
model: high-tier
---
You are a PHASE COORDINATOR. Call \`tutti orchestrator ospec MODIFIER TARGET\`.

NEVER call \`tutti executor\` directly.
`,
  },
  {
    path: 'campaigns/quarter.yaml',
    text: `description: Replaces the billing service
phases:
  - { name: research, coordinator: coordinator-example, args: [billing] }
  - { name: build, coordinator: coordinator, timeout: 2d }
  - { name: extras, coordinator: coordinator, needs: [research], required: false }
sentinel:
  checks:
    - { name: types, tool: tsc, command: [npx, tsc, --noEmit], errors: { pattern: "error TS\\\\d+" } }
    - { name: lint, command: [npx, oxlint], severity: warning, errors: lines }
    - { name: tests, command: [npm, test], timeout: 20m, errors: { json: summary.failed } }
  auditor: evaluator
  auditor_tier: high
  auditor_driver: codex
  fix_warnings: true
approvals:
  - { after: research, question: "Is this the service we want?" }
  - { before: build, question: "May we spend the budget?" }
until:
  rounds: 2
  gates:
    - command: [npm, run, acceptance]
    - approval: Is the campaign complete?
`,
  },
  {
    path: 'campaigns/small.json',
    text: `{"phases": [{"name": "only", "coordinator": "coordinator.py"}],
 "sentinel": {"checks": [{"name": "tests", "command": ["pytest", "-q"]}]},
 "until": {"gates": [{"file": "RELEASED"}]}}`,
  },
  {
    path: 'campaigns/prompted.md',
    text: `---
name: prompted
driver: claude
---
You are a CAMPAIGN CONTROLLER.
CALL: \`tutti coordinator coordinator PHASE\`, then VERIFY with \`tutti sentinel\`.
Never call \`tutti orchestrator\` or \`tutti executor\` directly.
`,
  },
  {
    path: 'executors/windows.md',
    text: '\uFEFF---\r\ndescription: Written on another system\r\nactions:\r\n  - name: GO\r\n---\r\nYou are a helper.\r\n',
  },
  {
    path: 'executors/anchors.yaml',
    text: `description: Shares its gates
system_prompt: You are an engineer who migrates data.
actions:
  - name: COPY
    gates: &proof
      - command: [make, check]
  - name: MOVE
    gates: *proof
`,
  },
  {
    path: 'coordinators/deep.yaml',
    text: `phases:
  - { name: a, orchestrator: oresearch, needs: [] }
  - { name: b, orchestrator: ospec, modifier: full }
  - { name: c, orchestrator: ospec, modifier: leanest }
`,
  },
];
