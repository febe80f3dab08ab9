import { checkFlow, prepareFlow, startPrepared } from '../../app/runs/start-flow.ts';
import { locate } from '../../app/tutti.ts';
import type { Outcome } from '../../model/outcome.ts';
import { admit } from '../admit.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, switchFlag, trustFlag, type TrustFlag } from '../define-command.ts';
import { advance, type AdvanceFlags } from '../advance.ts';
import { fail } from '../fail.ts';
import { wholeNumber } from '../parsers.ts';
import { printLines } from '../print.ts';
import { withNewProject } from '../project.ts';
import { sayFoundDriver } from '../say-driver.ts';
import { estimate } from './estimate.ts';

interface RunFlags extends AdvanceFlags, TrustFlag {
  readonly runId?: string;
  readonly parallel?: number;
  /** Its earlier name. */
  readonly maxParallel?: number;
  readonly refresh: boolean;
  readonly estimate: boolean;
}

export const command = defineCommand<RunFlags, [file: string]>({
  reads: false,
  parameters: {
    flags: {
      runId: {
        kind: 'parsed',
        parse: String,
        brief: 'Name of the run; an existing run is amended and keeps unchanged results',
        placeholder: 'ID',
        optional: true,
      },
      parallel: {
        kind: 'parsed',
        parse: wholeNumber(1, 1000),
        brief: 'Maximum number of steps that run at once',
        placeholder: 'N',
        optional: true,
      },
      // What it was called before.
      maxParallel: {
        kind: 'parsed',
        parse: wholeNumber(1, 1000),
        brief: 'The same as --parallel',
        placeholder: 'N',
        optional: true,
        hidden: true,
      },
      refresh: switchFlag("Reload agent files instead of using the run's snapshot"),
      detach: switchFlag('Run in the background'),
      estimate: switchFlag('Print an estimate from earlier runs and declared times; start nothing'),
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, brief: 'Flow file, YAML or JSON', placeholder: 'FILE' }],
    },
  },
  about:
    "Runs the flow here and shows its progress. On a terminal it asks you the run's questions; elsewhere\n" +
    'it exits with 3 when only a person can continue the run. Ctrl-C finishes running steps and starts no\n' +
    'new ones; a second Ctrl-C stops them, and a third kills processes that ignore the stop.\n' +
    '`tutti resume` continues in each case, and finished steps do not run again.',
  examples: [
    ['tutti run flows/example.yaml', 'start a run and watch it'],
    ['tutti run flows/example.yaml --run-id nightly', 'run it again: only what changed or failed'],
    ['tutti run flows/example.yaml --detach', 'run in the background; watch with tutti events --follow'],
    ['tutti run flows/example.yaml --estimate', 'estimate the cost, if it is known'],
    ['tutti run flows/example.yaml --json', 'print events as NDJSON, the status last'],
  ],
  run: run,
});

/** Everything is checked before anything is made, so that a mistake leaves nothing behind. */
async function run(flags: RunFlags, context: Context, file: string): Promise<Outcome> {
  const { folder, env, caller } = context;
  const { json, detach, refresh, runId = null } = flags;
  const maxParallel = flags.parallel ?? flags.maxParallel ?? null;
  const request = { file, folder, runId, maxParallel, refresh, detach };
  const flow = checkFlow(request);
  if (!flow.ok) return fail(context, flow.error, json);
  const admitted = flags.estimate
    ? null
    : await admit(context, flags, { flow: file, continues: flags.runId });
  if (admitted?.ok === false) return fail(context, admitted.error, json);
  const place = locate({ folder, env, caller });
  if (!place.ok) return fail(context, place.error, json);
  context.protect(place.value.redactor);
  const prepared = await prepareFlow(place.value, flow.value, request);
  if (!prepared.ok) return fail(context, prepared.error, json);
  if (flags.estimate) return estimate(flags, context, place.value, prepared.value.input);
  return withNewProject(context, flags, async (tutti) => {
    const after = runId === null ? 0 : await tutti.queries.lastSeq(runId);
    const started = await startPrepared(tutti, prepared.value);
    if (!started.ok) {
      if (runId !== null) tutti.toldRuns.add(runId);
      return fail(context, started.error, json);
    }
    const drivers = Object.values(prepared.value.input.agents).map(({ driver }) => driver);
    if (drivers.includes(tutti.config.driver)) sayFoundDriver(context, flags, tutti.config);
    const { note } = started.value;
    if (!json && note !== null) printLines(context, [note]);
    return advance(context, tutti, { runId: started.value.runId, after, detach, json });
  });
}
