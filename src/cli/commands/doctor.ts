import { examine } from '../../app/doctor/examine.ts';
import type { Finding } from '../../app/doctor/finding.ts';
import { refusal } from '../../app/refusal.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import {
  defineCommand,
  jsonFlag,
  type JsonFlag,
  switchFlag,
  trustFlag,
  type TrustFlag,
} from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { counted } from '../../lib/counted.ts';
import { type Paint, painter } from '../render/style.ts';
import { type Mark, marks } from '../render/marks.ts';

interface DoctorFlags extends JsonFlag, TrustFlag {
  readonly all: boolean;
  readonly try: boolean;
  readonly yes: boolean;
}

export const command = defineCommand<DoctorFlags, [driver?: string]>({
  reads: false,
  parameters: {
    flags: {
      all: switchFlag('Also check tools that this project does not use'),
      try: switchFlag("Run one small turn with DRIVER or the project's driver, and show which steps work"),
      yes: switchFlag('Do not ask before the trial turn'),
      trust: {
        ...trustFlag,
        brief: "With --try: trust this repository's settings and commands, or ignore them",
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: 'Driver to try; only with --try', placeholder: 'DRIVER', optional: true },
      ],
    },
  },
  about:
    'Checks Node, git, the configuration, drivers, their CLIs with version and sign-in, the sandbox,\n' +
    'state, database, agents and trust, and prints the command that fixes each problem. Starts no program\n' +
    'from the repository. Exits with 69 if something that this project needs is missing.',
  examples: [
    ['tutti doctor', 'check this project'],
    ['tutti doctor --all', 'also check other agent CLIs, tmux, sandbox tools, disk and limits'],
    ['tutti doctor --try', 'prove with one small turn that agents can read, write, run commands and report'],
    ['tutti doctor --json', 'print JSON'],
  ],
  run: doctor,
});

async function doctor(flags: DoctorFlags, context: Context, driver?: string): Promise<Outcome> {
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
    const well =
      warnings === 0 ? 'all checks passed' : `nothing fails; ${counted(warnings, 'warning')} to read`;
    const end = failures === 0 ? well : `${failures} of ${findings.length} need fixing`;
    printLines(context, [...findings.flatMap((finding) => linesOf(finding, width, paint)), end]);
  }
  return failures === 0 ? 'SUCCESS' : 'UNAVAILABLE';
}

const findingMarks: Readonly<Record<Finding['state'], Mark>> = {
  ok: marks.good,
  warning: marks.waiting,
  failure: marks.bad,
};

function linesOf({ name, state, text, fix }: Finding, width: number, paint: Paint): string[] {
  const [glyph, tone] = findingMarks[state];
  const line = `${paint(tone, glyph)} ${name.padEnd(width)}  ${oneLine(text, 500)}`;
  return fix === null ? [line] : [line, `  → ${oneLine(fix, 500)}`];
}
