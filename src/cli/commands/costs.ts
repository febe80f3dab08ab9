import { type Costs, costsOf, sumJson } from '../../app/costs/costs.ts';
import { required } from '../../app/runs/find-run.ts';
import { instant } from '../../app/status/run-status.ts';
import type { Outcome } from '../../model/outcome.ts';
import { type CostGroup, costGroups, sumOf, type UsageSum } from '../../model/price-sum.ts';
import type { Output } from '../../model/schemas/published.ts';
import { runArgument } from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { duration, oneOf } from '../parsers.ts';
import { printJson, printLines } from '../print.ts';
import { readProject, refuseUnknownRun, sayNoRuns } from '../read-project.ts';
import { alignedTable, costCells, money } from '../render/cost-table.ts';
import { listWords } from '../../lib/word-list.ts';
import { counted } from '../../lib/counted.ts';
import { painter } from '../render/style.ts';

interface CostsFlags extends JsonFlag {
  readonly by?: CostGroup;
  readonly since?: number;
}

export const command = defineCommand<CostsFlags, [run?: string]>({
  reads: true,
  parameters: {
    flags: {
      by: {
        kind: 'parsed',
        parse: oneOf(costGroups),
        brief: `Group by WHAT: ${listWords(costGroups, 'or')}`,
        placeholder: 'WHAT',
        optional: true,
        proposeCompletions: (partial) => costGroups.filter((group) => group.startsWith(partial)),
      },
      since: {
        kind: 'parsed',
        parse: duration,
        brief: 'Count only sessions started in the last TIME, such as 7d',
        placeholder: 'TIME',
        optional: true,
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ ...runArgument, brief: 'A run, including its child runs; default: all runs' }],
    },
  },
  about:
    'Groups one run by step, and all runs by run; --by changes that. Uses the cost that the agent CLI\n' +
    'reports, or computes one from `prices` in tutti.yaml and marks it with ~. Otherwise the cost is\n' +
    'unknown.',
  examples: [
    ['tutti costs', 'show every run, and the total'],
    ['tutti costs nightly', 'show one run, step by step'],
    ['tutti costs --by tier --since 7d', 'group the last week by tier'],
    ['tutti costs --by session --json', 'print each turn as JSON'],
  ],
  run: costs,
});

function costs(flags: CostsFlags, context: Context, runId?: string): Promise<Outcome> {
  const none = async (): Promise<Outcome> => {
    if (runId !== undefined) return fail(context, refuseUnknownRun(context, runId), flags.json);
    const since = flags.since === undefined ? null : Date.now() - flags.since;
    const nothing = { groups: [], total: sumOf([]), unread: 0 };
    return sayNoRuns(context, flags.json, costsJson(nothing, { runId: null, by: flags.by ?? 'run', since }));
  };
  return readProject(context, flags, none, async (tutti) => {
    const run = runId === undefined ? null : await required(tutti, runId);
    if (run?.ok === false) return fail(context, run.error, flags.json);
    const by = flags.by ?? (run === null ? 'run' : 'step');
    const since = flags.since === undefined ? null : tutti.clock.wall() - flags.since;
    const found = await costsOf(tutti, { runId: runId ?? null, by, since: since ?? 0 });
    if (flags.json) printJson(context, costsJson(found, { runId: runId ?? null, by, since }));
    else printLines(context, linesOf(context, by, found));
    return 'SUCCESS';
  });
}

interface CostsOf {
  readonly runId: string | null;
  readonly by: CostGroup;
  readonly since: number | null;
}

function costsJson({ groups, total }: Costs, { runId, by, since }: CostsOf): Output<'costs'> {
  return {
    run_id: runId,
    by,
    since: instant(since),
    groups: groups.map(({ name, ...sum }) => ({ name, ...sumJson(sum) })),
    total: sumJson(total),
  };
}

function linesOf({ screen }: Context, by: CostGroup, { groups, total, unread }: Costs): string[] {
  if (groups.length === 0) return ['no agent has run yet, so nothing was spent'];
  const paint = painter(screen.colour);
  const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
  const titles = [by.toUpperCase(), 'TURNS', 'INPUT', 'OUTPUT', 'COST'];
  const rows = [...groups.map(({ name, ...sum }) => costCells(name, sum)), costCells('total', total)];
  return [...alignedTable(titles, rows, 1, paint, columns), ...remarks(total, unread)];
}

/** What the numbers do not say by themselves. */
function remarks(total: UsageSum, unread: number): readonly string[] {
  const { running, computedUsd, priceDates } = total;
  const [withoutPrice, withoutTokens] = [total.withoutPrice - unread, total.withoutTokens - unread];
  return [
    ...(computedUsd === 0
      ? []
      : [
          `~ ${money(computedUsd)} of it is computed from tokens, by the prices of ${priceDates.join(' and ')}`,
        ]),
    ...(withoutPrice === 0 ? [] : [`and ${counted(withoutPrice, 'turn')} of unknown price`]),
    // Tokens that were not told have no price, whatever is written.
    ...(withoutPrice <= withoutTokens
      ? []
      : ['  → name the model and its price in tutti.yaml for the turns to come: tutti help costs']),
    ...(withoutTokens === 0 ? [] : [`and ${counted(withoutTokens, 'turn')} that did not tell all tokens`]),
    ...(unread === 0
      ? []
      : [
          `and ${counted(unread, 'turn')} that ended and ${unread === 1 ? 'is' : 'are'} counted once ${unread === 1 ? 'its run' : 'their runs'} continue${unread === 1 ? 's' : ''}`,
        ]),
    ...(running === 0 ? [] : [`and ${counted(running, 'turn')} still running, counted at the end`]),
  ];
}
