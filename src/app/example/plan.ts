import type { Behavior, CapabilityMap } from '../../model/plan/capability-map.ts';
import type { PhysicalMap, PlannedFile } from '../../model/plan/physical-map.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import * as library from './library.ts';

/** One wish of the specification, and everything that planning makes of it. */
interface Piece {
  /** Its task is T001, its behavior B1, its capability C1. */
  readonly number: number;
  readonly name: string;
  readonly type: Behavior['type'];
  /** Word for word from the specification. */
  readonly quote: string;
  readonly phase: number;
  readonly needs: readonly number[];
  readonly files: readonly { readonly path: string; readonly content: string; readonly purpose: string }[];
  readonly test: { readonly path: string; readonly content: string };
  readonly hours: number;
}

/** The order in which the thinnest way through the program is told: read, add, write, be called. */
const thread = [2, 4, 3, 6];

export const pieces: readonly Piece[] = [
  {
    number: 1,
    name: 'Table of units',
    type: 'state',
    quote: 'A table names the units `h`, `m` and `s`, with the milliseconds of each.',
    phase: 1,
    needs: [],
    files: [
      { path: 'package.json', content: library.manifest, purpose: 'Names the package' },
      { path: 'src/units.js', content: library.units, purpose: 'The units and their milliseconds' },
    ],
    test: { path: 'test/units.test.js', content: library.unitsTest },
    hours: 0.5,
  },
  {
    number: 2,
    name: 'Parse a duration',
    type: 'input',
    quote: "`parse('1h30m')` gives milliseconds; anything that is not a duration throws a RangeError.",
    phase: 2,
    needs: [1],
    files: [{ path: 'src/parse.js', content: library.parse, purpose: 'Text to milliseconds' }],
    test: { path: 'test/parse.test.js', content: library.parseTest },
    hours: 1,
  },
  {
    number: 3,
    name: 'Format a duration',
    type: 'output',
    quote: '`format(5400000)` gives text for people.',
    phase: 2,
    needs: [1],
    files: [{ path: 'src/format.js', content: library.format, purpose: 'Milliseconds to text' }],
    test: { path: 'test/format.test.js', content: library.formatTest },
    hours: 1,
  },
  {
    number: 4,
    name: 'Add durations',
    type: 'process',
    quote: "`sum(['1h', '30m'])` adds durations and gives text.",
    phase: 2,
    needs: [2, 3],
    files: [{ path: 'src/sum.js', content: library.sum, purpose: 'Adds durations' }],
    test: { path: 'test/sum.test.js', content: library.sumTest },
    hours: 0.5,
  },
  {
    number: 5,
    name: 'Find the longest duration',
    type: 'process',
    quote: "`longest(['1h', '90m'])` gives the longest of several durations.",
    phase: 3,
    needs: [2],
    files: [{ path: 'src/longest.js', content: library.longest, purpose: 'Compares durations' }],
    test: { path: 'test/longest.test.js', content: library.longestTest },
    hours: 0.5,
  },
  {
    number: 6,
    name: 'Command duration-sum',
    type: 'activation',
    quote:
      '`duration-sum 1h 30m` prints the sum, and ends with code 1 and one sentence when a word is no duration.',
    phase: 2,
    needs: [4],
    files: [{ path: 'bin/duration-sum.js', content: library.command, purpose: 'The command' }],
    test: { path: 'test/command.test.js', content: library.commandTest },
    hours: 1,
  },
  {
    number: 7,
    name: 'What the package offers',
    type: 'output',
    quote: 'The package offers `parse`, `format`, `sum` and `longest`.',
    phase: 3,
    needs: [4, 5],
    files: [{ path: 'src/index.js', content: library.index, purpose: 'The way in' }],
    test: { path: 'test/index.test.js', content: library.indexTest },
    hours: 0.5,
  },
];

export function taskId(number: number): string {
  return `T${String(number).padStart(3, '0')}`;
}

/** `specChecksum` may be a variable of the cassette. */
export function capabilityMap(specChecksum: string): CapabilityMap {
  return {
    version: '1.0',
    spec_checksum: specChecksum,
    domains: [
      {
        id: 'D1',
        name: 'Durations',
        description: 'Reading, writing and comparing durations',
        capabilities: pieces.map(({ number, name, type, quote }) => ({
          id: `C${number}`,
          name,
          spec_ref: { quote, location: 'tiny-duration' },
          behaviors: [{ id: `B${number}`, name, type, description: quote }],
        })),
      },
    ],
    flows: [
      {
        id: 'F1',
        name: 'Add durations on the command line',
        is_steel_thread: true,
        steps: thread.map((number, index) => ({
          order: index + 1,
          behavior_id: `B${number}`,
          description: pieces.find((piece) => piece.number === number)?.name ?? '',
        })),
      },
    ],
    coverage: { total_requirements: pieces.length, covered_requirements: pieces.length, gaps: [] },
    phase_filtering: {
      active_phase: 1,
      excluded_phases: [{ phase: 2, heading: 'Later', location: '## Later', summary: 'Days and weeks' }],
      total_excluded_requirements: 1,
    },
  };
}

export function physicalMap(capabilityChecksum: string): PhysicalMap {
  return {
    version: '1.0',
    target_dir: '.',
    capability_map_checksum: capabilityChecksum,
    file_mapping: pieces.map(({ number, name, files, test }) => ({
      behavior_id: `B${number}`,
      behavior_name: name,
      files: files.map(plannedFile),
      tests: [{ path: test.path, action: 'create' }],
    })),
    cross_cutting: [],
    infrastructure: [],
    summary: {
      total_behaviors: pieces.length,
      total_files: pieces.reduce((sum, { files }) => sum + files.length + 1, 0),
    },
  };
}

function plannedFile({ path, purpose }: Piece['files'][number]): PlannedFile {
  const layer = path.startsWith('bin/') ? 'api' : path.startsWith('src/') ? 'domain' : 'infra';
  return { path, action: 'create', layer, purpose };
}

/** As the author of tasks leaves them: in no phase but the first, until somebody puts them in order. */
export function tasks(how: 'authored' | 'sequenced'): readonly PlanTask[] {
  return pieces.map(({ number, name, quote, phase, needs, files, test, hours }) => ({
    id: taskId(number),
    name,
    phase: how === 'authored' ? 1 : phase,
    task_type: 'feature',
    context: {
      domain: 'Durations',
      capability: name,
      spec_ref: { quote, location: 'tiny-duration' },
      spec_requirements: [quote],
      steel_thread: thread.includes(number),
    },
    behaviors: [`B${number}`],
    files: [
      ...files.map(({ path, purpose }) => ({ path, action: 'create' as const, purpose })),
      { path: test.path, action: 'create', purpose: 'Tests it' },
    ],
    dependencies: { tasks: needs.map(taskId), external: [] },
    acceptance_criteria: [
      { criterion: `Every test in ${test.path} passes`, verification: `node --test ${test.path}` },
    ],
    estimate_hours: hours,
  }));
}
