import { terminalText } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import { demo as play } from '../../app/demo/demo.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson } from '../print.ts';

export interface DemoFlags extends JsonFlag {
  readonly keep?: string;
}

export async function demo({ json, keep }: DemoFlags, context: Context): Promise<Outcome> {
  const say = (line: string): void => {
    if (!json) context.process.stdout.write(`${terminalText(line)}\n`);
  };
  const { env, program } = context;
  const end = await play({ folder: keep ?? null, env, say, program });
  if (!end.ok) return fail(context, end.error, json);
  if (json) printJson(context, end.value);
  return 'SUCCESS';
}
