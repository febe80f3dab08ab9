import { type EffectiveSetting, effectiveSettings, untrustedSettings } from '../../app/effective-settings.ts';
import { refusalOfProblems, shownMistakes } from '../../app/refusal.ts';
import { locate } from '../../app/tutti.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { painter } from '../render/style.ts';

const configFile = 'tutti.yaml';

export const command = defineCommand<JsonFlag, []>({
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  about:
    'The first source with a value wins: TUTTI_* variables, then tutti.yaml of the project, then your own\n' +
    'config.yaml, then the default. Secrets are not shown. With --json, prints one object per line.',
  examples: [
    ['tutti config', 'show every setting'],
    ['tutti config --json', 'print JSON'],
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
  const ignored = untrustedSettings(located.value);
  if (json) {
    for (const setting of settings.value)
      printJson(context, isIgnored(setting, ignored) ? { ...setting, ignores: configFile } : setting);
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
  if (ignored.length > 0) {
    const members = oneLine(ignored.join(', '), 500);
    context.process.stderr.write(
      `${configFile} is not trusted, so it does not count here: ${members}\n  → look at it: tutti trust\n`,
    );
  }
  return 'SUCCESS';
}

/** Whether the project's file sets it, and does not count. */
function isIgnored({ name }: EffectiveSetting, ignored: readonly string[]): boolean {
  return ignored.some((member) => name === member || name.startsWith(`${member}.`));
}
