import { noDriver } from '../../model/config.ts';
import type { Outcome } from '../../model/outcome.ts';
import { refuseUntrustedDriver } from '../../app/consent/untrusted-driver.ts';
import { tokensOf } from '../../model/usage.ts';
import type { Trial } from '../../app/doctor/judge-trial.ts';
import { tryDriver } from '../../app/doctor/try-driver.ts';
import { refusal } from '../../app/refusal.ts';
import { locate } from '../../app/tutti.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { nearest } from '../../lib/nearest.ts';
import { confirmed } from '../confirm.ts';
import { admit } from '../admit.ts';
import type { TrustFlag } from '../define-command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { painter } from '../render/style.ts';
import { glyphs } from '../../lib/glyphs.ts';

interface TryFlags extends TrustFlag {
  readonly json: boolean;
  readonly yes: boolean;
}

/** One small turn is some five answers of a model, each with the prompt and the definitions of its tools. */
const usualTokens = '50,000';
const mostTokens = '250,000';

/** `tutti doctor --try [DRIVER]`: says what it costs, runs one small turn, and shows what that proved. */
export async function tryOut(flags: TryFlags, context: Context, name?: string): Promise<Outcome> {
  const { json, yes } = flags;
  const { folder, env, input, process } = context;
  const admitted = await admit(context, flags, { usesState: false });
  if (!admitted.ok) return fail(context, admitted.error, json);
  const place = locate({ folder, env });
  if (!place.ok) return fail(context, place.error, json);
  const { config } = place.value;
  const driver = name ?? config.driver;
  const untrusted = driver === noDriver ? refuseUntrustedDriver(place.value) : null;
  if (untrusted !== null) return fail(context, untrusted, json);
  if (!Object.hasOwn(config.drivers, driver)) {
    const names = Object.keys(config.drivers);
    const meant = nearest(driver, names);
    const known = `there are ${names.join(', ')}; choose one with driver: in tutti.yaml (tutti help drivers)`;
    const message = driver === noDriver ? 'no driver is chosen' : `there is no driver '${driver}'`;
    const hint = meant === null ? known : `did you mean: tutti doctor --try ${meant}`;
    return fail(context, refusal('USAGE', message, hint), json);
  }
  const cost = `This runs one small turn with ${driver}: usually less than ${usualTokens} tokens, at most ${mostTokens}.`;
  if (input.isTerminal && !json && !yes) {
    const agreed = await confirmed(context, {
      question: `${cost} Run it?`,
      force: false,
      json,
      flag: '--yes',
    });
    if (!agreed.ok) return fail(context, agreed.error, json);
    if (!agreed.value) {
      printLines(context, ['Nothing was run.']);
      return 'INTERRUPTED';
    }
  } else if (!json) process.stderr.write(`${cost}\n`);
  const tried = await tryDriver(place.value, driver, {
    heed: (stop) => context.onSignal(stop),
    tell: (line) => {
      if (!json) process.stderr.write(`  … ${line}\n`);
    },
  });
  if (!tried.ok) return fail(context, tried.error, json);
  const trial = tried.value;
  if (json) printJson(context, jsonOf(trial));
  else printLines(context, linesOf(trial, context));
  return trial.cause === null ? 'SUCCESS' : 'UNAVAILABLE';
}

function jsonOf({ driver, model, proofs, cause, usage, log }: Trial): object {
  return {
    driver,
    model,
    works: cause === null,
    proofs: proofs.map(({ what, proven }) => ({ what, proven })),
    cause,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens, cost_usd: usage.costUsd },
    log: cause === null ? null : log,
  };
}

function linesOf(
  { driver, model, proofs, cause, usage, log }: Trial,
  { screen }: Context,
): readonly string[] {
  const paint = painter(screen.colour);
  // A CLI that reports a price and no tokens has used some.
  const tokens = usage.inputTokens === null ? 0 : tokensOf(usage);
  const known = [
    ...(tokens > 0 ? [`${tokens.toLocaleString('en')} tokens`] : []),
    ...(usage.costUsd === null ? [] : [`$${usage.costUsd.toFixed(4)}`]),
  ];
  const spent = known.length === 0 ? 'unknown' : known.join(', ');
  return [
    ...proofs.map(({ what, proven, text }) =>
      proven
        ? `${paint('good', glyphs.good)} ${what.padEnd(8)} ${text}`
        : `${paint('bad', glyphs.bad)} ${what.padEnd(8)} ${text}: not proven`,
    ),
    `model ${model ?? "the CLI's default"}, spent ${spent}`,
    ...(cause === null
      ? [`${driver} works here`]
      : [
          `${driver} does not work here: ${oneLine(cause.message, 500)}`,
          `  → ${cause.hint}`,
          ...(log === null ? [] : [`  output: ${log}`]),
        ]),
  ];
}
