import { effectiveSettings } from '../../app/effective-settings.ts';
import { refusalOfProblems, shownMistakes } from '../../app/refusal.ts';
import { locate } from '../../app/tutti.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { painter } from '../render/style.ts';

export const command = defineCommand<JsonFlag, []>({
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  about:
    'The strongest source counts: TUTTI_* variables, then tutti.yaml of the project, then your own config.yaml, then the\n' +
    'default. Secrets are not shown. With --json, one object per line.',
  examples: [
    ['tutti config', 'every setting'],
    ['tutti config --json', 'the same for a program'],
  ],
  run: config,
});

function config({ json }: JsonFlag, context: Context): Outcome {
  const located = locate(context);
  if (!located.ok) return fail(context, located.error, json);
  context.protect(located.value.redactor);
  const settings = effectiveSettings(located.value);
  if (!settings.ok) {
    const hint = 'correct the file, then run: tutti config';
    return fail(context, refusalOfProblems(settings.error, hint, shownMistakes), json);
  }
  if (json) {
    for (const setting of settings.value) printJson(context, setting);
    return 'SUCCESS';
  }
  const paint = painter(context.screen.colour);
  printLines(
    context,
    settings.value.map(({ name, value, source }) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${oneLine(name, 200)}: ${oneLine(text, 500)}  ${paint('quiet', `# ${oneLine(source, 500)}`)}`;
    }),
  );
  return 'SUCCESS';
}
