import { listAgents } from '../../app/agents/list-agents.ts';
import { snapshotOf } from '../../app/agents/snapshot.ts';
import { locate } from '../../app/tutti.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { ignoreUntrusted } from '../read-project.ts';
import { printJson, printLines } from '../print.ts';
import { alignedTable } from '../render/cost-table.ts';
import { painter } from '../render/style.ts';

export const command = defineCommand<JsonFlag, []>({
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  about:
    'Lists built-in agents and those in agents/ and .claude/agents/, with tier, driver and file. Lists an\n' +
    'invalid file with its errors. With --json, prints one object per line.',
  examples: [
    ['tutti agents', 'list all agents'],
    ['tutti agents --json', 'print JSON'],
  ],
  run: agents,
});

function agents({ json }: JsonFlag, context: Context): Outcome {
  const located = locate({ ...context, onIgnored: ignoreUntrusted(context, json) });
  if (!located.ok) return fail(context, located.error, json);
  const { config, redactor } = located.value;
  context.protect(redactor);
  const { agents: found, problems } = listAgents(located.value);
  const rows = found.map((agent) => {
    const { name, driver, tier } = snapshotOf(agent, config);
    return { name, tier, driver, file: agent.source };
  });
  if (json) {
    for (const row of rows) printJson(context, row);
  } else {
    const cells = rows.map(({ name, tier, driver, file }) => [name, tier, driver, file]);
    const titles = ['AGENT', 'TIER', 'DRIVER', 'FILE'];
    const paint = painter(context.screen.colour);
    printLines(context, alignedTable(titles, cells, titles.length, paint, Number.POSITIVE_INFINITY));
  }
  for (const problem of problems)
    context.process.stderr.write(`tutti: ${oneLine(problemSentence(problem), 1000)}\n`);
  return 'SUCCESS';
}
