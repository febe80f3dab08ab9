import { stringify } from 'yaml';
import { spec, specName } from '../example/spec.ts';
import { exampleTurns } from '../example/turns.ts';

/*
 * The demo project: a flow, a specification and the cassette that plays their agents. Everything in it is meant to be read,
 * changed and thrown away.
 */

const config = `# Configuration of the demo project. Every member is optional.
# Flags and TUTTI_* variables override this file; it overrides ~/.config/tutti/config.yaml.

# How agents are run. 'replay' plays recorded turns from a cassette: no key, no network.
driver: replay

drivers:
  replay:
    type: replay
    cassette: cassette.yaml
  # Any program can be an agent. Its contract: tutti help own-agent
  # mine:
  #   type: command
  #   command: ["python3", "agent.py"]

# Driver and tier of each agent; the default is the driver above.
# agents:
#   greeter: { driver: mine, tier: high }

# How many agent sessions may run at once in this project.
max_sessions: 5
# Tutti kills a session that takes longer.
session_timeout: 30m
`;

const flow = `# A flow: steps, and what each of them needs. Run it with: tutti run flows/example.yaml
name: example
concurrency: 2

# Ceilings for the whole run; a launch that would break one is refused before it starts.
budget:
  launches: 10
  wall: 10m

steps:
  # An agent works until its gates pass; what a gate finds is its next prompt.
  - id: greet
    agent: greeter
    prompt: Write a friendly greeting for the users of this project into hello.txt.
    gates:
      - file: hello.txt

  # Does not need the greeting, so both run at the same time.
  - id: farewell
    agent: greeter
    prompt: Write a short farewell into goodbye.txt.
    gates:
      - file: goodbye.txt

  # A program of yours: no agent, no cost.
  - id: check
    needs: [greet, farewell]
    command: [grep, -q, Hello, hello.txt]
`;

const agent = `---
description: Writes short, friendly texts
tier: low
result: required
---
You write short, friendly texts. Do only what the task says, in the current directory.

Your result, when you have ended:
{"status": "success", "summary": "what you did, in one sentence", "artifacts": ["paths you wrote"]}
`;

const cassette = `# What the replay driver plays: for each prompt the first turn whose 'match' fits.
turns:
  - match: { agent: greeter, step: greet }
    delay_ms: 400
    text: I will write a greeting.
    tools:
      - { name: write, target: hello.txt }
    files:
      hello.txt: |
        Hello, and welcome!
    result: { status: success, summary: Wrote the greeting, artifacts: [hello.txt] }
    usage: { input_tokens: 120, output_tokens: 30, cost_usd: 0.0004 }

  - match: { agent: greeter, step: farewell }
    delay_ms: 600
    text: I will write a farewell.
    tools:
      - { name: write, target: goodbye.txt }
    files:
      goodbye.txt: |
        Goodbye, and come back soon!
    result: { status: success, summary: Wrote the farewell, artifacts: [goodbye.txt] }
    usage: { input_tokens: 110, output_tokens: 25, cost_usd: 0.0003 }

  # One agent by itself, on a task of yours: tutti session create greeter TASK.md
  - match: { agent: greeter, step: session }
    delay_ms: 400
    text: I have read the task. This is a recording, so I only say hello.
    result: { status: success, summary: Said hello }
    usage: { input_tokens: 100, output_tokens: 20, cost_usd: 0.0003 }
`;

/** Turns of the agents that plan and execute the example specification, below those of the flow. */
const planTurns = stringify(exampleTurns({ delayMs: 300 })).replaceAll(/^(?=.)/gm, '  ');

const planCassette = `
  # And for: tutti build ${specName} --target tiny-duration --new
${planTurns}`;

/** Whatever surrounds the demo ignores it: a repository by `.gitignore`, discovery because it is a project of its own. */
export const demoFiles: ReadonlyMap<string, string> = new Map([
  ['tutti.yaml', config],
  ['.gitignore', '*\n'],
  ['flows/example.yaml', flow],
  ['agents/greeter.md', agent],
  [specName, spec],
  ['cassette.yaml', `${cassette}${planCassette}`],
]);
