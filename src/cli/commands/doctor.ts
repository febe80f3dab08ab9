import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import { examine } from '../../app/doctor/examine.ts';
import type { Finding } from '../../app/doctor/finding.ts';
import { refusal } from '../../app/refusal.ts';
import type { JsonFlag, TrustFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { counted } from '../render/counted.ts';
import { painter, type Paint, type Tone } from '../render/style.ts';

export interface DoctorFlags extends JsonFlag, TrustFlag {
  readonly all: boolean;
  readonly try: boolean;
  readonly yes: boolean;
}

export async function doctor(flags: DoctorFlags, context: Context, driver?: string): Promise<Outcome> {
  if (flags.try) return (await import('./doctor-try.ts')).tryOut(flags, context, driver);
  if (driver !== undefined) {
    const why = refusal('USAGE', 'a driver can only be tried', `tutti doctor --try ${oneLine(driver, 64)}`);
    return fail(context, why, flags.json);
  }
  const { folder, env, screen, machine } = context;
  const { platform } = machine;
  const scope = flags.all ? 'all' : 'project';
  const findings = await examine({ folder, env, nodeVersion: process.version, platform, scope });
  const failures = findings.filter(({ state }) => state === 'failure').length;
  if (flags.json) {
    printJson(context, { healthy: failures === 0, findings });
  } else {
    const paint = painter(screen.colour);
    const width = Math.max(...findings.map(({ name }) => name.length));
    const warnings = findings.filter(({ state }) => state === 'warning').length;
    const well = warnings === 0 ? 'all is well' : `nothing fails; ${counted(warnings, 'warning')} to read`;
    const end = failures === 0 ? well : `${failures} of ${findings.length} need fixing`;
    printLines(context, [...findings.flatMap((finding) => linesOf(finding, width, paint)), end]);
  }
  return failures === 0 ? 'SUCCESS' : 'UNAVAILABLE';
}

const marks: Readonly<Record<Finding['state'], readonly [string, Tone]>> = {
  ok: ['✔', 'good'],
  warning: ['◐', 'waiting'],
  failure: ['✕', 'bad'],
};

function linesOf({ name, state, text, fix }: Finding, width: number, paint: Paint): string[] {
  const [glyph, tone] = marks[state];
  const line = `${paint(tone, glyph)} ${name.padEnd(width)}  ${oneLine(text, 500)}`;
  return fix === null ? [line] : [line, `  → ${oneLine(fix, 500)}`];
}
