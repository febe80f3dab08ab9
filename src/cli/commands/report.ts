import { join } from 'node:path';
import { terminalText } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Run } from '../../model/run.ts';
import { sessionsOfRun } from '../../app/sessions/sessions-now.ts';
import { runStatus, statusJson } from '../../app/status/run-status.ts';
import type { Tutti } from '../../app/tutti.ts';
import { workflows } from '../../app/workflows.ts';
import { executionReport } from '../../app/views/execution-report.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { printJson } from '../print.ts';
import { withRun } from '../project.ts';

/** The text is made from the database, like the file: the file is a view, and may be missing or old. */
export function report(flags: JsonFlag, context: Context, runId?: string): Promise<Outcome> {
  const show = (tutti: Tutti, { id }: Run): Outcome => {
    const found = runStatus(tutti, workflows, id);
    if (found === null) return 'SUCCESS';
    if (flags.json) {
      tutti.views().update(id);
      printJson(context, {
        path: join(tutti.paths.run(id), 'execution-report.md'),
        status: statusJson(found),
        incidents: found.incidents,
      });
    } else {
      context.process.stdout.write(terminalText(executionReport(found, sessionsOfRun(tutti, id))));
    }
    return 'SUCCESS';
  };
  return withRun(context, flags, runId, show, { path: null, status: null, incidents: [] });
}
