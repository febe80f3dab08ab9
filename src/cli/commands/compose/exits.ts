import { type ExitRow, isCallingLayer, listExits } from '../../../model/compose/exits.ts';
import { allLayers, type AnyLayer, callingLayers } from '../../../model/compose/layer.ts';
import { exitCodes, type Outcome } from '../../../model/outcome.ts';
import type { Propagation } from '../../../model/propagation.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../../define-command.ts';
import { oneOf } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { alignedTable } from '../../render/cost-table.ts';
import { painter } from '../../render/style.ts';

interface ExitFlags extends JsonFlag {
  readonly layer?: AnyLayer;
}

const codes = Object.values(exitCodes).map(String);

export const command = defineCommand<ExitFlags, [code?: string]>({
  reads: true,
  parameters: {
    flags: {
      layer: {
        kind: 'parsed',
        parse: oneOf(allLayers),
        brief: `Only this layer: ${allLayers.join(', ')}`,
        placeholder: 'LAYER',
        optional: true,
        proposeCompletions: (partial: string) => allLayers.filter((layer) => layer.startsWith(partial)),
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(codes),
          brief: `Exit code: ${codes.join(', ')}`,
          placeholder: 'CODE',
          optional: true,
          proposeCompletions: (partial) => codes.filter((code) => code.startsWith(partial)),
        },
      ],
    },
  },
  about:
    'RAISED BY lists the layers that raise a code; the other columns show how each layer handles that\n' +
    'code from the layer below. Executors return every code unchanged. With --json, prints one object per\n' +
    'line.',
  examples: [
    ['tutti compose exits', 'print the whole table'],
    ['tutti compose exits 10 --layer coordinator', 'print one code in one layer'],
  ],
  run: exits,
});

function exits({ layer, json }: ExitFlags, context: Context, code?: string): Outcome {
  const rows = listExits()
    .filter((row) => code === undefined || String(row.code) === code)
    .filter(({ raisedBy }) => layer === undefined || isCallingLayer(layer) || raisedBy.includes(layer));
  if (json) for (const row of rows) printJson(context, exitJson(row));
  else printLines(context, tableLines(rows, layer, context));
  return 'SUCCESS';
}

function exitJson({ code, outcome, raisedBy, reactions }: ExitRow): Output<'compose-exit'> {
  return { code, outcome, raised_by: raisedBy, ...reactions };
}

/** What a layer does with a code, for people. */
const reactionWords: Readonly<Record<Propagation, string>> = {
  absorb: 'continue',
  'retry-once-then-raise': 'retry once, then raise',
  raise: 'raise',
  'resolve-and-reinvoke': 'resolve, call again',
  'log-and-retry-once': 'log, retry once',
  'retry-failed-parts': 'retry failed parts',
  'log-partial': 'log, keep what passed',
  escalate: 'log, escalate',
  'ask-person': 'ask a person',
  wait: 'wait for the reset',
};

function tableLines(
  rows: readonly ExitRow[],
  layer: AnyLayer | undefined,
  { screen }: Context,
): readonly string[] {
  const shown = callingLayers.filter((each) => layer === undefined || layer === each);
  const titles = ['CODE', 'OUTCOME', 'RAISED BY', ...shown.map((each) => each.toUpperCase())];
  const cells = rows.map(({ code, outcome, raisedBy, reactions }) => [
    String(code),
    outcome,
    describeLayers(raisedBy),
    ...shown.map((each) => reactionWords[reactions[each]]),
  ]);
  const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
  return alignedTable(titles, cells, titles.length, painter(screen.colour), columns);
}

/** Layers that follow each other, by their first and last. */
function describeLayers(layers: readonly AnyLayer[]): string {
  if (layers.length === allLayers.length) return 'all layers';
  const [first = '', last = ''] = [layers[0], layers.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}
