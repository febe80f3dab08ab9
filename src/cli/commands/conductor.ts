import type { Outcome } from '../../model/outcome.ts';
import { conduct } from '../../app/runs/conductor.ts';
import { openTutti } from '../../app/tutti.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson } from '../print.ts';

export async function conductor({ json }: JsonFlag, context: Context): Promise<Outcome> {
  const opened = openTutti({ folder: context.folder, env: context.env, create: false });
  if (!opened.ok) return fail(context, opened.error, json);
  using tutti = opened.value;
  context.protect(tutti.redactor);
  const end = await conduct(tutti, (line) => {
    const at = new Date(tutti.clock.wall()).toISOString();
    if (json) printJson(context, { at, message: line });
    else context.process.stdout.write(`${at} ${line}\n`);
  });
  if (end === 'taken' && !json) context.process.stdout.write('another conductor looks after this project\n');
  return 'SUCCESS';
}
