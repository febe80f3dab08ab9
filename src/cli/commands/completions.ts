import type { Outcome } from '../../model/outcome.ts';
import type { JsonFlag } from '../command.ts';
import { completionScripts } from '../completions/scripts.ts';
import type { Context } from '../context.ts';
import { printJson } from '../print.ts';

export function completions(
  { json }: JsonFlag,
  context: Context,
  shell: keyof typeof completionScripts,
): Outcome {
  const script = completionScripts[shell];
  if (json) printJson(context, { shell, script });
  else context.process.stdout.write(script);
  return 'SUCCESS';
}
