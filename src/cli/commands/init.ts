import { relative, resolve } from 'node:path';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import { named } from '../../model/trust.ts';
import { initProject } from '../../app/init.ts';
import { untrustedSurfaces } from '../../app/trust/trust.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';

export type InitFlags = JsonFlag;

export function init({ json }: InitFlags, context: Context, folder = '.'): Outcome {
  const root = resolve(context.folder, folder);
  const done = initProject(root);
  if (!done.ok) return fail(context, done.error, json);
  const { made, kept } = done.value;
  const go = relative(context.folder, root);
  const brought = untrustedSurfaces(root, context.env);
  const there = go === '' ? '' : `cd ${go} && `;
  const next = `${there}tutti run flows/example.yaml`;
  const nextPlan = `${there}tutti build tiny-duration.md --target tiny-duration --new`;
  if (json) {
    printJson(context, { folder: root, made, kept, next, untrusted: brought.map(({ path }) => path) });
    return 'SUCCESS';
  }
  printLines(context, [
    ...made.map((name) => `made ${name}`),
    ...kept.map((name) => `kept ${name}: it was there already`),
    ...(brought.length === 0
      ? []
      : [
          `not used by agents until you trust the repository: ${oneLine(named(brought), 500)}`,
          '  → look at it: tutti trust',
        ]),
    `  → run the example: ${next}`,
    `  → or build something from a specification: ${nextPlan}`,
  ]);
  return 'SUCCESS';
}
