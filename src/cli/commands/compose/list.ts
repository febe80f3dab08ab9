import { describeRow } from '../../../app/compose/describe-definition.ts';
import { listDefinitions } from '../../../app/compose/find-definition.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { problemSentence } from '../../../model/schemas/problem.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { printJson, printLines } from '../../print.ts';
import { alignedTable } from '../../render/cost-table.ts';
import { painter } from '../../render/style.ts';
import { type ComposeFlags, composeFlags, withLibrary } from './group.ts';

export const command = defineCommand<ComposeFlags, []>({
  reads: true,
  parameters: { flags: composeFlags },
  about:
    'Lists built-in definitions and those of the project. Once you trust the repository, a project\n' +
    'definition overrides a built-in one of the same name. Executors can also be agents, skills and\n' +
    'commands of the project. Prints unusable files on standard error. With --json, prints one object\n' +
    'per line.',
  examples: [
    ['tutti compose list', 'list all layers'],
    ['tutti compose list --layer orchestrator', 'list one layer'],
  ],
  run: list,
});

function list(flags: ComposeFlags, context: Context): Outcome {
  return withLibrary(context, flags, (library) => {
    const { definitions, findings } = listDefinitions(library, flags.layer);
    const rows = definitions.map(describeRow);
    if (flags.json) for (const row of rows) printJson<Output<'compose-row'>>(context, row);
    else {
      const { screen } = context;
      const titles = ['LAYER', 'NAME', 'MODE', 'FILE', 'DESCRIPTION'];
      const cells = rows.map(({ layer, name, mode, file, description }) =>
        [layer, name, mode ?? '-', file, description].map((cell) => oneLine(cell)),
      );
      const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
      printLines(context, alignedTable(titles, cells, titles.length, painter(screen.colour), columns));
    }
    for (const finding of findings)
      context.process.stderr.write(`tutti: ${oneLine(problemSentence(finding), 1000)}\n`);
    return 'SUCCESS';
  });
}
