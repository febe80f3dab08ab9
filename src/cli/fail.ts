import { oneLine, terminalText } from '../lib/terminal-text.ts';
import type { BadOutcome } from '../model/outcome.ts';
import type { Output } from '../model/schemas/published.ts';
import type { Refusal } from '../app/refusal.ts';
import type { Context } from './context.ts';
import { jsonLine } from './print.ts';

const longest = 1000;

/** The only way a command says that it could not: one sentence and what to do next, on standard error. */
export function fail(context: Pick<Context, 'process'>, refusal: Refusal, json: boolean): BadOutcome {
  const { outcome, message, hint, detail } = refusal;
  if (json) {
    const error = { code: outcome, message, hint, ...(detail === undefined ? {} : { detail }) };
    context.process.stderr.write(`${jsonLine({ status: 'error', error } satisfies Output<'error'>)}\n`);
    return outcome;
  }
  const frame = detail === undefined ? [] : terminalText(detail).split('\n');
  const lines = [
    `tutti: ${oneLine(message, longest)}`,
    ...frame.map((line) => `  ${line}`),
    `  → ${oneLine(hint, longest)}`,
  ];
  context.process.stderr.write(`${lines.join('\n')}\n`);
  return outcome;
}
