import { demo as play } from '../../app/demo/demo.ts';
import { terminalText } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson } from '../print.ts';

interface DemoFlags extends JsonFlag {
  readonly keep?: string;
}

export const command = defineCommand<DemoFlags, []>({
  reads: false,
  parameters: {
    flags: {
      keep: {
        kind: 'parsed',
        parse: String,
        brief: 'Create the demo in DIR and keep it',
        placeholder: 'DIR',
        optional: true,
      },
      json: jsonFlag,
    },
  },
  about:
    'Recorded agents write real code in a temporary git repository, and real gates test it. One agent\n' +
    'heals a failing test, one asks a question, and the demo kills its own orchestrator to show that\n' +
    'nothing runs twice.',
  examples: [
    ['tutti demo', 'run it in a temporary directory'],
    ['tutti demo --keep try-it', 'keep the result'],
  ],
  run: demo,
});

async function demo({ json, keep }: DemoFlags, context: Context): Promise<Outcome> {
  const say = (line: string): void => {
    if (!json) context.process.stdout.write(`${terminalText(line)}\n`);
  };
  const { env, program } = context;
  const end = await play({ folder: keep ?? null, env, say, program });
  if (!end.ok) return fail(context, end.error, json);
  if (json) printJson(context, end.value);
  return 'SUCCESS';
}
