import type { Outcome } from '../../model/outcome.ts';
import { conduct } from '../../app/runs/conductor.ts';
import { openTutti } from '../../app/tutti.ts';
import type { JsonFlag, TrustFlag } from '../command.ts';
import { admit } from '../admit.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson } from '../print.ts';

export type ConductorFlags = JsonFlag & TrustFlag;

/** It drives what a person started, with what a person trusts: what changed since then is asked about first. */
export async function conductor(flags: ConductorFlags, context: Context): Promise<Outcome> {
  const { json } = flags;
  const unattended = { ...context, input: { ...context.input, isTerminal: false } };
  const admitted = await admit(unattended, flags);
  if (!admitted.ok) return fail(context, admitted.error, json);
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
