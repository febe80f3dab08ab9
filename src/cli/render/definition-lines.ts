import { writeDuration } from '../../lib/duration.ts';
import { oneLine, terminalText } from '../../lib/terminal-text.ts';
import type { Output } from '../../model/schemas/published.ts';
import { alignedTable } from './cost-table.ts';
import type { Paint } from './style.ts';

type Shown = Output<'compose-show'>;

/** A definition as `tutti compose show` prints it. */
export function definitionLines(shown: Shown, paint: Paint): readonly string[] {
  const { layer, name, mode, description, file, recommended_depth: depth } = shown;
  const title = `${layer} ${name}${mode === null ? '' : ` (${mode} mode)`}`;
  return [
    paint('strong', title),
    ...(description === '' ? [] : [oneLine(description, 500)]),
    `file: ${oneLine(file)}`,
    `recommended depth: ${depth}`,
    '',
    ...bodyLines(shown, paint),
  ];
}

function bodyLines(shown: Shown, paint: Paint): readonly string[] {
  if (shown.mode === null) return executorLines(shown, paint);
  if (shown.mode === 'agent') return agentLines(shown);
  if (shown.layer === 'orchestrator') return orchestratorLines(shown, paint);
  return shown.layer === 'coordinator' ? coordinatorLines(shown, paint) : campaignLines(shown, paint);
}

type Executor = Extract<Shown, { layer: 'executor' }>;
type Prompted = Extract<Shown, { mode: 'agent' }>;
type Orchestrator = Extract<Shown, { stages: unknown }>;
type Coordinator = Extract<Shown, { layer: 'coordinator'; mode: 'tool' }>;
type Campaign = Extract<Shown, { sentinel: unknown }>;

function executorLines(shown: Executor, paint: Paint): readonly string[] {
  const actions =
    shown.actions === null
      ? [`every word is an action; tier ${shown.tier}`]
      : table(
          paint,
          ['ACTION', 'TIER', 'ARGUMENTS', 'WRITES', 'GATES', 'TIMEOUT', 'DESCRIPTION'],
          shown.actions.map(({ name, tier, args, writes, gates, timeout_ms: timeout, description }) => [
            name,
            tier,
            args.map((each) => (each.required ? each.name : `[${each.name}]`)).join(' '),
            writes === null ? 'any file' : joined(writes),
            joined(gates.map(({ kind }) => kind)),
            writeDuration(timeout),
            description,
          ]),
        );
  return [...actions, '', ...promptLines(shown.system_prompt)];
}

function agentLines({ tier, timeout_ms: timeout, system_prompt: prompt }: Prompted): readonly string[] {
  const deadline = timeout === null ? '' : `, timeout ${writeDuration(timeout)}`;
  return [`tier ${tier}${deadline}`, '', ...promptLines(prompt)];
}

function promptLines(prompt: string): readonly string[] {
  return terminalText(prompt.trim()).split('\n');
}

function orchestratorLines({ stages, modifiers }: Orchestrator, paint: Paint): readonly string[] {
  return [
    ...table(
      paint,
      ['STAGE', 'EXECUTOR', 'ARGUMENTS', 'NEEDS', 'INPUTS', 'REQUIRED', 'RETRY', 'TIMEOUT', 'ON DEPTH'],
      stages.map((stage) => [
        stage.name,
        stage.executor,
        joined(stage.args),
        joined(stage.needs),
        joined(stage.inputs),
        ...partCells(stage, stage.retry),
        stage.on_depth,
      ]),
    ),
    '',
    ...Object.entries(modifiers).map(([name, names]) => `modifier ${oneLine(name)}: ${joined(names)}`),
  ];
}

function coordinatorLines({ phases }: Coordinator, paint: Paint): readonly string[] {
  return table(
    paint,
    ['PHASE', 'ORCHESTRATOR', 'MODIFIER', 'ARGUMENTS', 'NEEDS', 'REQUIRED', 'RETRY', 'TIMEOUT'],
    phases.map((phase) => [
      phase.name,
      phase.orchestrator,
      phase.modifier,
      joined(phase.args),
      joined(phase.needs),
      ...partCells(phase, phase.retry),
    ]),
  );
}

function campaignLines({ phases, sentinel, approvals, until }: Campaign, paint: Paint): readonly string[] {
  return [
    ...table(
      paint,
      ['PHASE', 'COORDINATOR', 'ARGUMENTS', 'NEEDS', 'REQUIRED', 'TIMEOUT'],
      phases.map((phase) => {
        const [required, , timeout] = partCells(phase, 0);
        return [phase.name, phase.coordinator, joined(phase.args), joined(phase.needs), required, timeout];
      }),
    ),
    '',
    ...table(
      paint,
      ['CHECK', 'TOOL', 'COMMAND', 'SEVERITY', 'ERRORS'],
      sentinel.checks.map(({ name, tool, command, severity, errors }) => [
        name,
        tool,
        command.join(' '),
        severity,
        errors.by,
      ]),
    ),
    '',
    `auditor: ${oneLine(sentinel.auditor)}${sentinel.fix_warnings ? ', warnings are fixed too' : ''}`,
    ...approvals.map(
      ({ when, phase, question }) => `approval ${when} ${oneLine(phase)}: ${oneLine(question)}`,
    ),
    ...(until === null
      ? []
      : [`until: ${joined(until.gates.map(({ kind }) => kind))}, at most ${until.rounds} rounds`]),
  ];
}

function partCells(
  { required, timeout_ms: timeout }: { readonly required: boolean; readonly timeout_ms: number | null },
  retry: number,
): readonly [required: string, retry: string, timeout: string] {
  return [required ? 'yes' : 'no', String(retry), timeout === null ? '-' : writeDuration(timeout)];
}

function joined(words: readonly string[]): string {
  return words.length === 0 ? '-' : words.join(', ');
}

function table(
  paint: Paint,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => oneLine(cell)));
  return alignedTable(titles, cells, titles.length, paint, Number.POSITIVE_INFINITY);
}
