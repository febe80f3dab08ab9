import { createHash } from 'node:crypto';
import type { Asked, ModelStep } from '../rig/model-brain.ts';
import type { CliTools } from './cli-tools.ts';

/*
 * A capable but ordinary model for a small specification: it writes the files that a prompt demands, with the tools that it is
 * offered, hands over its result the way it is asked to, and does nothing beyond that. It keeps nothing between two requests.
 */

type Step = Pick<ModelStep, 'text' | 'tools'>;
type Files = readonly (readonly [path: string, content: string])[];

/** What is built in one kind of repository. */
export interface Solution {
  /** Content of the specification. */
  readonly spec: string;
  /** Word for word from the specification. */
  readonly quote: string;
  readonly sources: Files;
  readonly tests: Files;
  readonly verification: string;
}

export function ordinaryModel(tools: CliTools, solution: Solution): (asked: Asked) => Step {
  return (asked) => {
    const { said, system, done, tools: offered } = asked;
    const task =
      said.find((text) => /^\s*(?:Extract|Map|Create|Verify|Assign|Execute)/m.test(text)) ?? asked.prompt;
    const all = [system, ...said].join('\n');
    if (task.includes('word.txt')) return trial(tools, asked, all);
    const calls = work(task, all, solution).map(([path, content]) => tools.write(path, content));
    const call = calls[done];
    if (call !== undefined) return { tools: [call] };
    if (done > calls.length) return { text: 'Done.' };
    return handOver(tools, offered, all, 'Did what was asked for');
  };
}

/** The way that the turn offers: a tool of the CLI, or the file that the prompt names. */
function handOver(tools: CliTools, offered: readonly string[], all: string, summary: string): Step {
  const result = { status: 'success', summary, artifacts: [], notes: [], questions: [] };
  if (offered.includes('StructuredOutput')) return { tools: [{ name: 'StructuredOutput', input: result }] };
  // Where the CLI has no tool for it, the last answer is the result.
  if (all.includes('as structured output')) return { text: JSON.stringify(result) };
  const path = /(\/[^\s`"']+\/result[^\s`"']*\.json)/.exec(all)?.[1];
  const text = JSON.stringify(result);
  return {
    tools: [
      path === undefined ? tools.shell(`printf '%s' '${text}' > "$TUTTI_RESULT"`) : tools.write(path, text),
    ],
  };
}

function trial(tools: CliTools, { done, results, tools: offered }: Asked, all: string): Step {
  const word = /\b[0-9a-f]{12}\b/.exec(results[0] ?? '')?.[0] ?? 'unknown';
  if (done === 0) return { tools: [tools.read('word.txt')] };
  if (done === 1) return { tools: [tools.write('written.txt', word)] };
  if (done === 2) return { tools: [tools.shell('sh run-me.sh')] };
  return done > 3 ? { text: 'Done.' } : handOver(tools, offered, all, `ran-${word}`);
}

/** The files that this prompt asks for. */
function work(task: string, all: string, solution: Solution): Files {
  const plan = /(\/[^\s`"']+\/plans\/[\w-]+)/.exec(all)?.[1] ?? '';
  const file = (path: string, value: object): readonly [string, string] => [
    `${plan}/${path}`,
    printed(value),
  ];
  if (task.includes('Extract capabilities')) {
    return [file('artifacts/capability-map.json', capabilityMap(solution))];
  }
  if (task.includes('Map behaviors')) return [file('artifacts/physical-map.json', physicalMap(solution))];
  if (task.includes('Create individual task files')) return [file('tasks/T001.json', taskOf(solution, all))];
  if (task.includes('Verify task definitions')) {
    return [
      [`${plan}/reports/task-validation-report.md`, '# Tasks\n\nT001: it can be done and proven.\n\nREADY\n'],
      file('reports/task-validation.json', { verdict: 'READY', summary: 'It can be done.', issues: [] }),
    ];
  }
  if (task.includes('Assign phases')) return [];
  return task.includes('Execute task') ? [...solution.sources, ...solution.tests] : [];
}

function printed(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function capabilityMap({ quote, spec }: Solution): object {
  const ref = { quote, location: 'SPEC.md' };
  const behavior = { id: 'B1', name: 'Slugify a title', type: 'process', description: quote };
  const capability = { id: 'C1', name: 'Slugs', spec_ref: ref, behaviors: [behavior] };
  return {
    version: '1.0',
    spec_checksum: sha256(spec),
    domains: [{ id: 'D1', name: 'Text', description: 'Works on text', capabilities: [capability] }],
    flows: [
      {
        id: 'F1',
        name: 'Make a slug',
        is_steel_thread: true,
        steps: [{ order: 1, behavior_id: 'B1', description: 'Slugify a title' }],
      },
    ],
    coverage: { total_requirements: 1, covered_requirements: 1, gaps: [] },
    phase_filtering: { active_phase: 1, excluded_phases: [], total_excluded_requirements: 0 },
  };
}

function physicalMap(solution: Solution): object {
  const { sources, tests } = solution;
  return {
    version: '1.0',
    target_dir: '.',
    capability_map_checksum: sha256(printed(capabilityMap(solution))),
    file_mapping: [
      {
        behavior_id: 'B1',
        behavior_name: 'Slugify a title',
        files: sources.map(([path]) => ({ path, action: 'create', layer: 'domain', purpose: 'Makes slugs' })),
        tests: tests.map(([path]) => ({ path, action: 'create' })),
      },
    ],
    cross_cutting: [],
    infrastructure: [],
    summary: { total_behaviors: 1, total_files: sources.length + tests.length },
  };
}

/** The commands of the project that the prompt names are run by its criteria, in the same words. */
function taskOf({ quote, sources, tests, verification }: Solution, all: string): object {
  const line = /The project's own commands: ([^\n]*)/.exec(all)?.[1] ?? '';
  const own = [...line.matchAll(/`([^`]+)`/g)].map(([, command]) => command ?? '');
  const commands = [...new Set([verification, ...own])];
  return {
    id: 'T001',
    name: 'Slugify a title',
    phase: 1,
    task_type: 'feature',
    context: {
      domain: 'Text',
      capability: 'Slugs',
      spec_ref: { quote, location: 'SPEC.md' },
      spec_requirements: [quote],
      steel_thread: true,
    },
    behaviors: ['B1'],
    files: [...sources, ...tests].map(([path]) => ({
      path,
      action: 'create',
      purpose: 'Slugs and their tests',
    })),
    dependencies: { tasks: [], external: [] },
    acceptance_criteria: commands.map((command) => ({
      criterion: `The command ${command} ends with code 0`,
      verification: command,
    })),
    estimate_hours: 0.5,
  };
}
