import { useState } from '../app/consent/use-state.ts';
import { findProject, pathsOf } from '../app/project.ts';
import { stateOrigin } from '../app/trust/state-mark.ts';
import { oneLine } from '../lib/terminal-text.ts';
import type { JsonFlag } from './command.ts';
import { confirmed } from './confirm.ts';
import type { Context } from './context.ts';

/** A project that was moved on this machine is asked about once; without a terminal it is refused when it is opened. */
export async function askAboutMoved(context: Context, { json }: JsonFlag): Promise<void> {
  const { folder, env, input, screen } = context;
  if (!input.isTerminal || !screen.isTerminal || json) return;
  const paths = pathsOf(findProject(folder));
  const origin = stateOrigin(paths, env);
  if (origin.from !== 'elsewhere') return;
  const question = `Tutti made ${oneLine(paths.state, 300)} in ${oneLine(origin.made, 300)}. Use it here?`;
  const may = await confirmed(context, { question, force: false, json, flag: 'tutti trust --state' });
  if (!may.ok || !may.value) return;
  await useState(context, paths);
}
