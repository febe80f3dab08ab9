import { counted } from '../../lib/counted.ts';
import { rebuildAudit, rebuildPlans, rebuildViews } from '../../app/rebuild.ts';
import { refusal } from '../../app/refusal.ts';
import { shellWord } from '../../lib/shell-word.ts';
import type { Outcome } from '../../model/outcome.ts';
import { runArgument } from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { chosenRun, withProject } from '../project.ts';

export const command = defineCommand<JsonFlag, [run?: string]>({
  reads: false,
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: 'tuple', parameters: [{ ...runArgument, brief: 'A run; default: all runs' }] },
  },
  about:
    'Recreates state.json, .signals, checkpoints, execution-report.md and other generated files. Tutti\n' +
    'never reads them back; the database is the record.',
  examples: [
    ['tutti rebuild', 'rewrite the files of all runs'],
    ['tutti rebuild nightly', 'rewrite the files of one run'],
  ],
  run: rebuild,
});

function rebuild(flags: JsonFlag, context: Context, runId?: string): Promise<Outcome> {
  return withProject(context, flags, async (tutti) => {
    const one = runId === undefined ? null : await chosenRun(tutti, runId);
    if (one !== null && !one.ok) return fail(context, one.error, flags.json);
    const ids = one === null ? (await tutti.queries.runs(null)).map(({ id }) => id) : [one.value.id];
    const { runs, failed: views } = await rebuildViews(tutti, ids);
    if (one === null) await rebuildAudit(tutti);
    const failed = one === null ? [...views, ...(await rebuildPlans(tutti))] : views;
    const [first] = failed;
    if (first !== undefined) {
      const message = `${counted(failed.length, 'file')} could not be written, among them ${first}`;
      return fail(
        context,
        refusal('UNAVAILABLE', message, `see what is in its way: ls -ld ${shellWord(first)}`),
        flags.json,
      );
    }
    if (flags.json) printJson(context, { runs, failed });
    else printLines(context, [`made the files of ${counted(runs, 'run')} again in ${tutti.paths.state}`]);
    return 'SUCCESS';
  });
}
