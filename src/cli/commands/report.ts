import { join } from 'node:path';
import { sessionsOfRun } from '../../app/sessions/sessions-now.ts';
import { runStatus, statusJson } from '../../app/status/run-status.ts';
import type { OpenedProject } from '../../app/opened-project.ts';
import { executionReport } from '../../app/views/execution-report.ts';
import { ViewWriter } from '../../app/views/view-writer.ts';
import { terminalText } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import { outlinesByName } from '../../model/outline.ts';
import type { Run } from '../../model/run.ts';
import { runArgument } from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { printJson } from '../print.ts';
import { readRun } from '../read-project.ts';

export const command = defineCommand<JsonFlag, [run?: string]>({
  reads: true,
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [runArgument] } },
  about:
    'Prints Markdown with steps, problems, agent sessions and usage. With --json, also prints the path of\n' +
    'the file.',
  examples: [
    ['tutti report', 'print the report of the newest run'],
    ['tutti report nightly > report.md', 'write it to a file'],
  ],
  run: report,
});

/** The text is made from the database, like the file: the file is a view, and may be missing or old. */
function report(flags: JsonFlag, context: Context, runId?: string): Promise<Outcome> {
  const show = async (tutti: OpenedProject, { id }: Run): Promise<Outcome> => {
    const found = await runStatus(tutti, outlinesByName, id);
    if (found === null) return 'SUCCESS';
    if (flags.json) {
      // Of the run alone: the files of its plan belong to whoever works on it.
      await new ViewWriter(tutti, outlinesByName, async () => []).update(id);
      printJson(context, {
        path: join(tutti.paths.run(id), 'execution-report.md'),
        status: statusJson(found),
        incidents: found.incidents,
      });
    } else {
      context.process.stdout.write(terminalText(executionReport(found, await sessionsOfRun(tutti, id))));
    }
    return 'SUCCESS';
  };
  return readRun(context, flags, runId, show, { path: null, status: null, incidents: [] });
}
