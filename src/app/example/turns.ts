import { basename } from 'node:path';
import { phaseAgents, executorAgent, verifierAgent } from '../../model/plan/phase.ts';
import { specName } from './spec.ts';
import { capabilityMap, physicalMap, pieces, taskId, tasks } from './plan.ts';

export interface TurnOptions {
  /** What each turn does first, for somebody who counts them. */
  readonly commands?: readonly (readonly string[])[];
  readonly delayMs?: number;
  /** Turns that come before those of the example, and win. */
  readonly first?: readonly object[];
}

/** The turns of all agents that plan and execute the example. They write real files; nobody but them is played. */
export function exampleTurns(options: TurnOptions = {}): readonly object[] {
  return [
    ...(options.first ?? []),
    ...planners(options),
    ...pieces.map((piece) => executor(piece, options)),
    verifier(options),
  ];
}

/** A specification of somebody's own is not what they were recorded for: then nothing fits, and the player says so. */
const ofThePlan = { step: 'logical', contains: `/plans/${basename(specName, '.md')}` };

function planners(options: TurnOptions): readonly object[] {
  const written = (how: 'authored' | 'sequenced') =>
    Object.fromEntries(tasks(how).map((task) => [inPlan(`tasks/${task.id}.json`), text(task)]));
  return [
    turn(
      options,
      { agent: phaseAgents.logical, ...ofThePlan },
      'Seven behaviors, each with its sentence in the specification',
      {
        [inPlan('artifacts/capability-map.json')]: text(capabilityMap('{SPEC_SHA256}')),
      },
    ),
    turn(options, { agent: phaseAgents.physical }, 'A module and a test for each behavior', {
      [inPlan('artifacts/physical-map.json')]: text(physicalMap('{CAPABILITY_MAP_SHA256}')),
    }),
    turn(
      options,
      { agent: phaseAgents.definition },
      'Seven tasks, each proven by its own tests',
      written('authored'),
    ),
    turn(options, { agent: phaseAgents.validation }, 'Every task can be done and proven', {
      [inPlan('reports/task-validation.json')]: text({
        verdict: 'READY',
        summary: 'Every task can be done and proven.',
        issues: [],
      }),
      [inPlan('reports/task-validation-report.md')]: report(),
    }),
    turn(
      options,
      { agent: phaseAgents.sequencing },
      'Units first, then the steel thread, then the rest',
      written('sequenced'),
    ),
  ];
}

function executor({ number, files, test }: (typeof pieces)[number], options: TurnOptions): object {
  const content = Object.fromEntries([...files, test].map(({ path, content: each }) => [path, each]));
  return turn(
    options,
    { agent: executorAgent, step: taskId(number) },
    `Wrote ${Object.keys(content).join(', ')}`,
    content,
  );
}

function verifier(options: TurnOptions): object {
  return turn(options, { agent: verifierAgent }, 'It does what the task asks for', {});
}

/** One turn as an agent would take it: what it writes, what it used, what it says of it. */
export function turn(
  { commands = [], delayMs = 50 }: TurnOptions,
  match: object,
  summary: string,
  files: Readonly<Record<string, string>>,
  rest: object = {},
): object {
  const paths = Object.keys(files);
  return {
    match,
    delay_ms: delayMs,
    ...(paths.length === 0 ? {} : { files }),
    ...(commands.length === 0 ? {} : { commands }),
    text: `${summary}.`,
    tools: paths.length === 0 ? [{ name: 'Read' }] : paths.map((path) => ({ name: 'Write', target: path })),
    usage: { input_tokens: 1800, output_tokens: 420, cost_usd: 0.012 },
    result: { status: 'success', summary, artifacts: paths.filter((path) => !path.startsWith('{')) },
    ...rest,
  };
}

function inPlan(path: string): string {
  return `{PLAN_DIR}/${path}`;
}

function text(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function report(): string {
  const rows = tasks('authored').map(
    ({ id, name, acceptance_criteria: [first] }) =>
      `| ${id} | ${name} | \`${first?.verification ?? ''}\` | pass |`,
  );
  return [
    '# Tasks of tiny-duration',
    '',
    '| task | name | proven by | |',
    '|---|---|---|---|',
    ...rows,
    '',
    'READY',
    '',
  ].join('\n');
}
