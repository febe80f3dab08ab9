import type { Finding } from '../../../app/compose/finding.ts';
import { lintFiles, lintProject, type LintReport } from '../../../app/compose/lint-compositions.ts';
import { counted } from '../../../lib/counted.ts';
import { oneLine, terminalText } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { problemSentence } from '../../../model/schemas/problem.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { printJson, printLines } from '../../print.ts';
import { type Paint, painter } from '../../render/style.ts';
import { type ComposeFlags, composeFlags, withLibrary } from './group.ts';

export const command = defineCommand<ComposeFlags, string[]>({
  reads: true,
  parameters: {
    flags: {
      ...composeFlags,
      layer: { ...composeFlags.layer, brief: 'Layer of files outside the layer directories' },
    },
    positional: {
      kind: 'array',
      parameter: { parse: String, brief: 'Files to check; default: all in compose/', placeholder: 'FILE' },
    },
  },
  usage: '[<FILE>...]',
  about:
    'Reports each broken rule with file, line and rule. Exits with 1 if there are errors; advice\n' +
    'does not change the exit code. Reads files whether or not you trust them, and runs nothing. With\n' +
    '--json, prints one object per line.',
  examples: [
    ['tutti compose lint', 'check every file in compose/'],
    ['tutti compose lint compose/orchestrators/release.yaml', 'check one file'],
    ['tutti compose lint draft.yaml --layer campaign', 'check a file in another directory'],
  ],
  run: lint,
});

function lint(flags: ComposeFlags, context: Context, ...files: readonly string[]): Outcome {
  return withLibrary(context, flags, (_, { paths, config }) => {
    const project = { root: paths.root, maxDepth: config.maxDepth };
    const report =
      files.length === 0 ? lintProject(project) : lintFiles(project, files, context.folder, flags.layer);
    const { findings } = report;
    if (flags.json) for (const finding of findings) printJson(context, findingJson(finding));
    else printLines(context, reportLines(report, painter(context.screen.colour)));
    return findings.some(({ severity }) => severity === 'error') ? 'FAILURE' : 'SUCCESS';
  });
}

function findingJson({ rule, severity, file, line, column, message }: Finding): Output<'compose-finding'> {
  return { rule, severity, file, line, column, message };
}

function reportLines({ files, findings }: LintReport, paint: Paint): readonly string[] {
  if (files === 0) return ['no definitions below compose/; start one: tutti compose new executor NAME'];
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const advice = findings.length - errors;
  const sum = `${counted(files, 'file')} checked: ${counted(errors, 'error')}, ${counted(advice, 'piece')} of advice`;
  return [...findings.flatMap((finding) => findingLines(finding, paint)), sum];
}

function findingLines(finding: Finding, paint: Paint): readonly string[] {
  const { rule, severity, frame } = finding;
  const mark = paint(severity === 'error' ? 'bad' : 'waiting', severity);
  const sentence = oneLine(problemSentence(finding), 1000);
  return [
    `${sentence} (${mark}: ${rule})`,
    ...(frame === null
      ? []
      : terminalText(frame)
          .split('\n')
          .map((line) => `  ${line}`)),
  ];
}
