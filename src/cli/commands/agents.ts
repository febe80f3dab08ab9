import { listAgents } from '../../app/agents/list-agents.ts';
import { snapshotOf } from '../../app/agents/snapshot.ts';
import { locate } from '../../app/tutti.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { painter } from '../render/style.ts';

export function agents({ json }: JsonFlag, context: Context): Outcome {
  const located = locate(context);
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
    const widths = titles.map((title, at) =>
      cells.reduce((widest, row) => Math.max(widest, (row[at] ?? '').length), title.length),
    );
    const line = (row: readonly string[]): string =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd();
    const paint = painter(context.screen.colour);
    printLines(context, [paint('quiet', line(titles)), ...cells.map(line)]);
  }
  for (const problem of problems)
    context.process.stderr.write(`tutti: ${oneLine(problemSentence(problem), 1000)}\n`);
  return 'SUCCESS';
}
