import type { InvalidFile } from './invalid-layers.ts';

const role = 'You are a release engineer.\n';

/** Files with names that do not exist, graphs that cannot run, and members of the wrong form. */
export const invalidMembers: readonly InvalidFile[] = [
  {
    about: 'stages that wait for each other',
    path: 'orchestrators/ring.yaml',
    text: `stages:
  - name: a
    executor: spec
    args: [PLAN]
    needs: [c]
  - name: b
    executor: spec
    args: [IMPLEMENT]
    needs: [a]
  - name: c
    executor: spec
    args: [TEST]
    needs: [b]
`,
    errors: ['5 cycle'],
  },
  {
    about: 'a phase of a campaign that waits for itself',
    path: 'campaigns/self.yaml',
    text: `phases:
  - name: alone
    coordinator: coordinator
    needs:
      - alone
sentinel: { checks: [{ name: t, command: [make, test] }] }
`,
    errors: ['5 cycle'],
  },
  {
    about: 'a need that names no stage',
    path: 'orchestrators/typo.yaml',
    text: `stages:
  - { name: research, executor: spec, args: [RESEARCH] }
  - { name: plan, executor: spec, args: [PLAN], needs: [reserach] }
`,
    errors: ['3 unknown-stage'],
  },
  {
    about: 'a modifier that names no stage',
    path: 'orchestrators/mods.yaml',
    text: `stages:
  - { name: plan, executor: spec, args: [PLAN] }
  - { name: build, executor: spec, args: [IMPLEMENT] }
modifiers:
  lean:
    - build
    - tests
`,
    errors: ['7 unknown-stage'],
  },
  {
    about: 'a phase with a modifier that its orchestrator lacks',
    path: 'coordinators/modifier.yaml',
    text: `phases:
  - name: explore
    orchestrator: oresearch
  - name: build
    orchestrator: ospec
    modifier: leaner
`,
    errors: ['6 unknown-modifier'],
  },
  {
    about: 'a stage with an unknown executor',
    path: 'orchestrators/stranger.yaml',
    text: `stages:
  - { name: a, executor: spce, args: [PLAN] }
  - { name: b, executor: spec, args: [TEST] }
`,
    errors: ['2 unknown-executor'],
  },
  {
    about: 'a phase with an unknown orchestrator',
    path: 'coordinators/stranger.json',
    text: `{"phases": [
  {"name": "a", "orchestrator": "ospec.py"},
  {"name": "b", "orchestrator": "odeploy.py"}
]}`,
    errors: ['3 unknown-orchestrator'],
  },
  {
    about: 'a campaign with an unknown coordinator, auditor and phase to approve',
    path: 'campaigns/strangers.yaml',
    text: `phases:
  - name: build
    coordinator: coordinater
sentinel:
  checks:
    - name: lint
      command: [ruff, check]
  auditor: inspector
approvals:
  - after: bild
    question: Shall we continue?
`,
    errors: ['3 unknown-coordinator', '10 unknown-phase', '8 unknown-executor'],
  },
  {
    about: 'a stage with an action that its executor lacks',
    path: 'orchestrators/actions.yaml',
    text: `stages:
  - name: a
    executor: spec
    args: [research]
  - name: b
    executor: researcher
    args: [legal]
  - name: c
    executor: spec
`,
    errors: ['4 unknown-action', '7 unknown-action', '8 unknown-action'],
  },
  {
    about: 'a stage that reads the result of a later stage',
    path: 'orchestrators/oracle.yaml',
    text: `stages:
  - name: plan
    executor: spec
    args: [PLAN]
    inputs: [test]
  - name: test
    executor: spec
    args: [TEST]
`,
    errors: ['5 late-input'],
  },
  {
    about: 'a stage that reads the result of a stage that runs at the same time',
    path: 'orchestrators/twins.yaml',
    text: `stages:
  - { name: market, executor: researcher, args: [market], needs: [] }
  - { name: ux, executor: researcher, args: [ux], needs: [], inputs: [market] }
`,
    errors: ['3 late-input'],
  },
  {
    about: 'two stages with one name',
    path: 'orchestrators/echo.yaml',
    text: `stages:
  - name: test
    executor: spec
    args: [TEST]
  - name: test
    executor: spec
    args: [REVIEW]
`,
    errors: ['5 duplicate-name'],
  },
  {
    about: 'two checks and two actions with one name each',
    path: 'campaigns/echo.yaml',
    text: `phases: [{ name: p, coordinator: coordinator }]
sentinel:
  checks:
    - { name: lint, command: [ruff] }
    - { name: lint, command: [pyright] }
`,
    errors: ['5 duplicate-name'],
  },
  {
    about: 'an executor that declares an action twice',
    path: 'executors/stutter.md',
    text: `---
actions:
  - name: RUN
  - name: RUN
---
${role}`,
    errors: ['4 duplicate-name'],
  },
  {
    about: 'a stage that compresses stages which are not compressible',
    path: 'orchestrators/squeeze.yaml',
    text: `stages:
  - { name: plan, executor: spec, args: [PLAN], compressible: true, on_depth: compress }
  - { name: build, executor: spec, args: [IMPLEMENT] }
`,
    errors: ['2 not-compressible'],
  },
  {
    about: 'a campaign whose auditor does the work',
    path: 'campaigns/judge.yaml',
    text: `phases:
  - { name: build, coordinator: coordinator-example }
sentinel:
  checks: [{ name: tests, command: [npm, test] }]
  auditor: spec
`,
    errors: ['5 author-audits'],
  },
  {
    about: 'a campaign without a sentinel',
    path: 'campaigns/blind.yaml',
    text: `description: Trusts everyone
phases:
  - { name: build, coordinator: coordinator }
`,
    errors: ['1 form'],
  },
  {
    about: 'a misspelt member',
    path: 'orchestrators/spelling.yaml',
    text: `stages:
  - name: plan
    executor: spec
    args: [PLAN]
  - name: build
    executor: spec
    args: [IMPLEMENT]
    timout: 20m
`,
    errors: ['8 form'],
  },
  {
    about: 'a tier that does not exist, a retry that is a text, and a tier given twice',
    path: 'orchestrators/values.json',
    text: `{
  "stages": [
    {"name": "a", "executor": "spec.py", "args": ["PLAN"], "model": "huge-tier"},
    {"name": "b", "executor": "spec.py", "args": ["TEST"],
     "retry": "twice"},
    {"name": "c", "executor": "spec", "args": ["TEST"],
     "tier": "low", "model": "low-tier"}
  ]
}
`,
    errors: ['3 form', '5 form', '7 form'],
  },
  {
    about: 'an executor whose glob leaves its directory',
    path: 'executors/escape.md',
    text: `---
description: Writes anywhere
writes:
  - "src/**"
  - "../**"
---
${role}`,
    errors: ['5 form'],
  },
  {
    about: 'an executor without a system prompt',
    path: 'executors/silent.yaml',
    text: `description: Says nothing
actions:
  - name: THINK
`,
    errors: ['1 form'],
  },
  {
    about: 'a prompt file that is not there',
    path: 'executors/lost.yaml',
    text: `description: Its prompt is gone
system_prompt_file: prompts/lost.md
`,
    errors: ['2 unreadable'],
  },
  {
    about: 'a system prompt without text',
    path: 'orchestrators/blank.md',
    text: '---\ndescription: Nothing to say\n---\n\n',
    errors: ['4 empty-system-prompt'],
  },
  {
    about: 'front matter that is never closed',
    path: 'coordinators/open.md',
    text: '---\ndescription: Never ends\n\nYou are a coordinator.\n',
    errors: ['- form'],
  },
  {
    about: 'front matter with the name of another file',
    path: 'executors/copy.md',
    text: `---
name: original
---
${role}`,
    errors: ['2 file-name'],
  },
  {
    about: 'YAML that is indented wrongly',
    path: 'orchestrators/indent.yaml',
    text: 'stages:\n  - name: a\n   executor: spec\n',
    errors: ['3 form'],
  },
  {
    about: 'an approval that is neither before nor after a phase, and gates that fit no campaign',
    path: 'campaigns/limbo.yaml',
    text: `phases: [{ name: p, coordinator: coordinator }]
sentinel: { checks: [{ name: t, command: [make] }] }
approvals:
  - question: Well?
until:
  rounds: 0
  gates:
    - tools: 3
`,
    errors: ['4 form', '6 form', '8 form'],
  },
  {
    about: 'a check that counts errors in an unknown way',
    path: 'campaigns/counting.yaml',
    text: `phases: [{ name: p, coordinator: coordinator }]
sentinel:
  checks:
    - name: types
      command: [tsc]
      errors: { pattern: "(" }
`,
    errors: ['6 form'],
  },
  {
    about: 'a modifier that lists a stage twice',
    path: 'orchestrators/again.yaml',
    text: `stages:
  - { name: build, executor: spec, args: [IMPLEMENT] }
  - { name: test, executor: spec, args: [TEST] }
modifiers:
  double:
    - test
    - build
    - test
`,
    errors: ['8 duplicate-name'],
  },
  {
    about: 'an executor with two system prompts, one of which is beside no folder',
    path: 'executors/torn.yaml',
    text: `system_prompt: You are a painter.
system_prompt_file: torn.md
`,
    errors: ['2 form', '2 form'],
  },
  {
    about: 'an executor with a prompt in the file and one in another',
    path: 'executors/split.yaml',
    text: `description: Cannot decide
system_prompt: You are a painter.
system_prompt_file: prompts/split.md
`,
    errors: ['3 form'],
  },
];
