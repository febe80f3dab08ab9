import { lookAtState, type SeenState } from '../../app/consent/foreign-state.ts';
import { useState } from '../../app/consent/use-state.ts';
import { findProject, pathsOf } from '../../app/project.ts';
import { refusal } from '../../app/refusal.ts';
import { refuseClosed, untrackHint } from '../../app/trust/state-mark.ts';
import { cutText, visibleLine } from '../../lib/visible-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { JsonFlag } from '../define-command.ts';
import { confirmed } from '../confirm.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { stateLines } from '../render/foreign-state-lines.ts';

/** Shows what a `.tutti/` that was not made here could continue, and uses it once a person agrees. */
export async function adoptState(
  { json, yes }: JsonFlag & { readonly yes: boolean },
  context: Context,
  folder: string,
): Promise<Outcome> {
  const project = findProject(folder);
  const closed = refuseClosed(pathsOf(project), context.env);
  if (closed !== null) return fail(context, closed, json);
  const seen = await lookAtState(project, context.env);
  const { paths, origin } = seen;
  if (origin.from === 'here' || origin.from === 'nowhere') {
    tell(context, json, seen, false);
    return 'SUCCESS';
  }
  if (origin.from === 'others' && origin.isTracked) {
    const message = `git tracks ${paths.state}, so every pull could change it`;
    return fail(context, refusal('USAGE', message, untrackHint(paths)), json);
  }
  if (!json) printLines(context, stateLines(seen));
  const question = `Use ${cutText(paths.state, 500, visibleLine)} from now on?`;
  const may = await confirmed(context, { question, force: yes, json, flag: '--yes' });
  if (!may.ok) return fail(context, may.error, json);
  if (may.value) {
    const used = await useState(context, seen);
    if (!used.ok) return fail(context, used.error, json);
  }
  tell(context, json, seen, may.value);
  return may.value ? 'SUCCESS' : 'FAILURE';
}

function tell(context: Context, json: boolean, seen: SeenState, adopted: boolean): void {
  const { paths, origin, runs, problem } = seen;
  if (json) {
    const shown = runs.map(({ id, workflow, state, members }) => ({ id, workflow, state, members }));
    printJson(context, { state: paths.state, from: origin.from, adopted, runs: shown, problem });
    return;
  }
  if (adopted) printLines(context, [`${paths.state} is used from now on`]);
  else if (origin.from === 'nowhere') printLines(context, [`Nothing to do: there is no ${paths.state}`]);
  else if (origin.from === 'here') printLines(context, [`Nothing to do: ${paths.state} was made here`]);
  else printLines(context, ['Nothing was changed']);
}
