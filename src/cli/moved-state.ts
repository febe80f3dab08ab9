import { findProject, pathsOf } from '../app/project.ts';
import { stateOrigin } from '../app/trust/state-mark.ts';
import { cutText, visibleLine } from '../lib/visible-text.ts';
import type { JsonFlag } from './define-command.ts';
import type { Context } from './context.ts';

/** A project that was moved on this machine is asked about once; without a terminal it is refused when it is opened. */
export async function askAboutMoved(context: Context, { json }: JsonFlag): Promise<void> {
  const { folder, env, input, screen } = context;
  if (!input.isTerminal || !screen.isTerminal || json) return;
  const project = findProject(folder);
  if (stateOrigin(pathsOf(project), env).from !== 'elsewhere') return;
  const [{ lookAtState }, { useState }, { stateLines }, { confirmed }] = await Promise.all([
    import('../app/consent/foreign-state.ts'),
    import('../app/consent/use-state.ts'),
    import('./render/foreign-state-lines.ts'),
    import('./confirm.ts'),
  ]);
  const seen = await lookAtState(project, env);
  const { paths, origin } = seen;
  if (origin.from !== 'elsewhere') return;
  context.process.stderr.write(`${stateLines(seen).join('\n')}\n`);
  const question = `Tutti made ${cutText(paths.state, 300, visibleLine)} in ${cutText(origin.made, 300, visibleLine)}. Use it here?`;
  const may = await confirmed(context, { question, force: false, json, flag: 'tutti trust --state' });
  if (!may.ok || !may.value) return;
  await useState(context, seen);
}
