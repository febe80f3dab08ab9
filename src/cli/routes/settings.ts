import { command, type JsonFlag, jsonFlag } from '../command.ts';

export const agents = command<JsonFlag, []>({
  load: async () => (await import('../commands/agents.ts')).agents,
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  brief: 'List the agents of this project',
  about:
    'Built-in agents and those of agents/ and .claude/agents/, with tier, driver and file. An invalid file is\n' +
    'listed with its errors. With --json, one object per line.',
  examples: [
    ['tutti agents', 'agents that can be given a task'],
    ['tutti agents --json', 'the same for a program'],
  ],
});

export const config = command<JsonFlag, []>({
  load: async () => (await import('../commands/config.ts')).config,
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  brief: 'Show the settings in effect and where each comes from',
  about:
    'The strongest source counts: TUTTI_* variables, then tutti.yaml of the project, then your own config.yaml, then the\n' +
    'default. Secrets are not shown. With --json, one object per line.',
  examples: [
    ['tutti config', 'every setting'],
    ['tutti config --json', 'the same for a program'],
  ],
});
