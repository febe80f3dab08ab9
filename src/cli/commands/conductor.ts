import { conduct } from '../../app/conductor/conduct.ts';
import { openTutti } from '../../app/tutti.ts';
import type { Outcome } from '../../model/outcome.ts';
import { admit } from '../admit.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, trustFlag, type TrustFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson } from '../print.ts';

type ConductorFlags = JsonFlag & TrustFlag;

/** Started by other commands; a person has no need to see it. */
export const command = defineCommand<ConductorFlags, []>({
  reads: false,
  parameters: { flags: { trust: trustFlag, json: jsonFlag } },
  about: 'Other commands start it when needed; `tutti service install` starts it at login.',
  examples: [['tutti conductor', 'run it in the foreground']],
  run: conductor,
});

/** It advances what a person started, with what a person trusts: what changed since then is asked about first. */
async function conductor(flags: ConductorFlags, context: Context): Promise<Outcome> {
  const { json } = flags;
  const unattended = { ...context, input: { ...context.input, isTerminal: false } };
  const admitted = await admit(unattended, flags, { continues: true });
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
