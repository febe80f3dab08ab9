/** A file that must be refused: its path below `compose/`, its text, and the line and rule of each error. */
export interface InvalidFile {
  readonly about: string;
  readonly path: string;
  readonly text: string;
  readonly errors: readonly string[];
}

/** Files that skip a layer, or mix up what a system prompt and arguments say. */
export const invalidLayers: readonly InvalidFile[] = [
  {
    about: 'a coordinator whose phase names an executor',
    path: 'coordinators/release.yaml',
    text: `description: Ships a release
phases:
  - name: changelog
    orchestrator: ospec
  - name: tag
    executor: spec
    args: [IMPLEMENT]
`,
    errors: ['6 skipped-layer'],
  },
  {
    about: 'a campaign whose phase names an orchestrator',
    path: 'campaigns/q3.yaml',
    text: `phases:
  - name: billing
    orchestrator: ospec
sentinel:
  checks:
    - { name: tests, command: [npm, test] }
`,
    errors: ['3 skipped-layer'],
  },
  {
    about: 'a campaign in JSON whose phase names an executor',
    path: 'campaigns/hotfix.json',
    text: `{
  "phases": [
    { "name": "patch", "executor": "spec.py", "args": ["FIX"] }
  ],
  "sentinel": { "checks": [{ "name": "tests", "command": ["pytest"] }] }
}
`,
    errors: ['3 skipped-layer'],
  },
  {
    about: 'a coordinator that calls an executor under the name of an orchestrator',
    path: 'coordinators/docs.yaml',
    text: `phases:
  - { name: write, orchestrator: spec, modifier: full }
  - { name: polish, orchestrator: ospec, modifier: lean }
`,
    errors: ['2 skipped-layer'],
  },
  {
    about: 'a coordinator with stages',
    path: 'coordinators/flat.json',
    text: `{"stages": [
  {"name": "research", "executor": "spec.py", "args": ["RESEARCH"]}
]}`,
    errors: ['1 skipped-layer'],
  },
  {
    about: 'an orchestrator whose stage is a command',
    path: 'orchestrators/ship.yaml',
    text: `stages:
  - name: build
    executor: spec
    args: [IMPLEMENT]
  - name: publish
    command: [npm, publish]
`,
    errors: ['6 skipped-layer'],
  },
  {
    about: 'an orchestrator whose stage is a prompt for an agent',
    path: 'orchestrators/chat.yaml',
    text: `stages:
  - name: one
    executor: spec
    args: [PLAN]
  - name: two
    agent: coder
    prompt: Make it faster.
`,
    errors: ['6 skipped-layer', '7 skipped-layer'],
  },
  {
    about: 'an orchestrator that wraps a single executor call',
    path: 'orchestrators/wrapper.yaml',
    text: `description: Runs the tests
stages:
  - name: test
    executor: spec
    args: [TEST]
`,
    errors: ['3 one-stage'],
  },
  {
    about: "an orchestrator in the seed's JSON that wraps a single executor call",
    path: 'orchestrators/single.json',
    text: `{
  "stages": [
    {
      "name": "research",
      "executor": "spec.py",
      "args": ["RESEARCH"],
      "model": "medium-tier",
      "retry": 1,
      "required": true
    }
  ]
}
`,
    errors: ['3 one-stage'],
  },
  {
    about: 'an orchestrator configuration with a system prompt',
    path: 'orchestrators/persona.yaml',
    text: `system_prompt: You are a planner.
stages:
  - { name: a, executor: spec, args: [PLAN] }
  - { name: b, executor: spec, args: [TEST] }
`,
    errors: ['1 wraps-spawn'],
  },
  {
    about: 'an orchestrator prompt that starts a session itself',
    path: 'orchestrators/spawner.md',
    text: `---
description: Reviews a change
---
# Reviewer

You are a stage sequencer.

Run \`tutti spawn --prompt "review it"\` and print what it says.
Then \`tutti executor spec TEST\`.
`,
    errors: ['8 wraps-spawn'],
  },
  {
    about: 'a coordinator prompt that calls an executor',
    path: 'coordinators/eager.md',
    text: `You are a phase coordinator.

1. \`tutti orchestrator ospec full TARGET\`
2. If it is short, call \`tutti executor spec IMPLEMENT TARGET\`.
`,
    errors: ['4 skipped-layer'],
  },
  {
    about: 'a campaign prompt that calls an orchestrator',
    path: 'campaigns/impatient.md',
    text: `---
tier: high
---
You are a campaign controller. Use \`tutti coordinator coordinator\`.
For small phases use \`tutti orchestrator ospec\`.
`,
    errors: ['5 skipped-layer'],
  },
  {
    about: 'an executor that calls another executor',
    path: 'executors/manager.md',
    text: `---
actions: [{ name: MANAGE }]
---
You are a manager.
Delegate the work with \`tutti executor spec IMPLEMENT\`.
`,
    errors: ['5 executor-delegates'],
  },
  {
    about: 'an executor prompt that names a source file',
    path: 'executors/parser-fixer.md',
    text: `You are a software engineer.

Open src/parser/lexer.ts and make the tests pass.
`,
    errors: ['3 path-in-system-prompt'],
  },
  {
    about: 'an orchestrator prompt that names an absolute path',
    path: 'orchestrators/local.md',
    text: `You are a stage sequencer.
Call \`tutti executor spec PLAN\` for the files in /home/ada/work/api.
`,
    errors: ['2 path-in-system-prompt'],
  },
  {
    about: 'an executor configuration whose prompt names a path',
    path: 'executors/inline.yaml',
    text: `description: Formats
system_prompt: |
  You are a formatter.
  Format ./config/settings.json only.
`,
    errors: ['2 path-in-system-prompt'],
  },
  {
    about: 'a stage whose argument defines a role',
    path: 'orchestrators/roleplay.yaml',
    text: `stages:
  - name: plan
    executor: spec
    args: [PLAN, "You are a senior architect. Plan it."]
  - name: implement
    executor: spec
    args: [IMPLEMENT]
`,
    errors: ['4 role-in-prompt'],
  },
  {
    about: 'a phase whose argument defines a role',
    path: 'coordinators/actors.yaml',
    text: `phases:
  - name: explore
    orchestrator: oresearch
    args: ["Act as the CTO and find three options"]
  - name: build
    orchestrator: ospec
`,
    errors: ['4 role-in-prompt'],
  },
  {
    about: 'a phase whose argument orders the stages of its orchestrator',
    path: 'coordinators/micromanager.yaml',
    text: `phases:
  - name: build
    orchestrator: ospec
    modifier: lean
    args: ["first plan, then implement, and test at the end"]
  - name: more
    orchestrator: ospec
    args: [spec.md, "skip the review stage"]
`,
    errors: ['5 stage-logic-in-prompt', '8 stage-logic-in-prompt'],
  },
  {
    about: 'a phase whose argument draws the stages of an orchestrator in agent mode',
    path: 'coordinators/arrows.yaml',
    text: `phases:
  - { name: a, orchestrator: ospec-agent, args: ["RESEARCH -> PLAN -> TEST"] }
  - { name: b, orchestrator: oresearch }
`,
    errors: ['2 stage-logic-in-prompt'],
  },
];
