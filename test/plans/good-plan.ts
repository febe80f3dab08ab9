import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FactSources, planFacts } from '../../src/app/plans/plan-facts.ts';
import { contentAddress } from '../../src/lib/digest.ts';
import type { Behavior, CapabilityMap } from '../../src/model/plan/capability-map.ts';
import type { PhysicalMap } from '../../src/model/plan/physical-map.ts';
import type { PlanFacts } from '../../src/model/plan/plan-facts.ts';
import type { PlanTask } from '../../src/model/plan/plan-task.ts';

/** The documents of a plan that every validator lets pass. */
export interface PlanDocuments {
  readonly spec: string;
  readonly capabilityMap: CapabilityMap;
  readonly physicalMap: PhysicalMap;
  readonly tasks: readonly PlanTask[];
}

export interface GoodPlanOptions {
  /** 8 unless told, at least 2. One behavior and two files each. */
  readonly tasks?: number;
}

const inCapability = 5;
const inDomain = 20;
/** T001 is the foundation, these come next. */
const steelThread = 3;

/** A plan of any size: a foundation, a steel thread of three, and features that need one or two earlier tasks. */
export function goodPlan({ tasks: count = 8 }: GoodPlanOptions = {}): PlanDocuments {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const spec = specOf(numbers);
  const capabilityMap = capabilityMapOf(numbers, spec);
  return {
    spec,
    capabilityMap,
    physicalMap: physicalMapOf(numbers, textOf(capabilityMap)),
    tasks: numbers.map((number) => taskOf(number)),
  };
}

/** `inputs/`, `artifacts/` and `tasks/` below the plan's folder. */
export function writePlan(planDir: string, plan: PlanDocuments): void {
  for (const name of ['inputs', 'artifacts', 'tasks']) mkdirSync(join(planDir, name), { recursive: true });
  writeFileSync(join(planDir, 'inputs/spec.md'), plan.spec);
  writeFileSync(join(planDir, 'artifacts/capability-map.json'), textOf(plan.capabilityMap));
  writeFileSync(join(planDir, 'artifacts/physical-map.json'), textOf(plan.physicalMap));
  for (const task of plan.tasks) writeFileSync(join(planDir, `tasks/${task.id}.json`), textOf(task));
}

export function writeGoodPlan(planDir: string, options: GoodPlanOptions = {}): PlanDocuments {
  const plan = goodPlan(options);
  writePlan(planDir, plan);
  return plan;
}

/** For a new project in a directory that need not be there. */
export function factsFor(
  plan: Pick<PlanDocuments, 'spec'>,
  targetDir: string,
  more: Partial<FactSources> = {},
): PlanFacts {
  return planFacts({ specText: plan.spec, targetDir, projectType: 'new', sequenced: true, ...more });
}

export function textOf(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function taskId(number: number): string {
  return `T${String(number).padStart(3, '0')}`;
}

function sentence(number: number): string {
  return `The program shall keep record ${number} and show it again on request.`;
}

/** Lines are broken as people break them. */
function specOf(numbers: readonly number[]): string {
  const lines = numbers.map((number) => `- ${sentence(number).replace('record', 'record\n ')}`);
  return `# Records\n\n${lines.join('\n')}\n`;
}

const types = ['activation', 'input', 'process', 'state', 'output'] as const;

function behaviorOf(number: number): Behavior {
  const type = types[(number - 1) % types.length] ?? 'process';
  return { id: `B${number}`, name: `keep record ${number}`, type, description: sentence(number) };
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return items.flatMap((_, index) => (index % size === 0 ? [items.slice(index, index + size)] : []));
}

function capabilityMapOf(numbers: readonly number[], spec: string): CapabilityMap {
  const capabilities = chunks(numbers, inCapability).map((own, index) => ({
    id: `C${index + 1}`,
    name: `records from ${own[0]}`,
    spec_ref: { quote: sentence(own[0] ?? 1), location: 'Records' },
    behaviors: own.map(behaviorOf),
  }));
  const steps = numbers.slice(1, 1 + steelThread).map((number, order) => ({
    order,
    behavior_id: `B${number}`,
    description: sentence(number),
  }));
  return {
    version: '1.0',
    spec_checksum: contentAddress(spec),
    domains: chunks(capabilities, inDomain).map((own, index) => ({
      id: `D${index + 1}`,
      name: `domain ${index + 1}`,
      description: 'records',
      capabilities: own,
    })),
    flows: [{ id: 'F1', name: 'the way through', is_steel_thread: true, steps }],
    coverage: { total_requirements: numbers.length, covered_requirements: numbers.length, gaps: [] },
    phase_filtering: { active_phase: 1, excluded_phases: [], total_excluded_requirements: 0 },
  };
}

function physicalMapOf(numbers: readonly number[], capabilityMap: string): PhysicalMap {
  return {
    version: '1.0',
    target_dir: '.',
    capability_map_checksum: contentAddress(capabilityMap),
    file_mapping: numbers.map((number) => ({
      behavior_id: `B${number}`,
      behavior_name: `keep record ${number}`,
      files: [{ path: source(number), action: 'create', layer: 'domain', purpose: 'keeps the record' }],
      tests: [{ path: testFile(number), action: 'create' }],
    })),
    cross_cutting: [],
    infrastructure: [{ path: 'package.json', action: 'create', layer: 'infra', purpose: 'the package' }],
    summary: { total_behaviors: numbers.length, total_files: 2 * numbers.length + 1 },
  };
}

function source(number: number): string {
  return `src/part-${number % 50}/record-${number}.js`;
}

function testFile(number: number): string {
  return `test/part-${number % 50}/record-${number}.test.js`;
}

function taskOf(number: number): PlanTask {
  const steel = number > 1 && number <= 1 + steelThread;
  const first = Math.floor((number - 1) / inCapability) * inCapability + 1;
  const needs = number === 1 ? [] : steel ? [number - 1] : [...new Set([number - 3, Math.ceil(number / 2)])];
  const foundation = number === 1 ? [{ path: 'package.json', action: 'create', purpose: 'the package' }] : [];
  const created = [source(number), testFile(number)].map((path) => ({
    path,
    action: 'create',
    purpose: `keeps record ${number}`,
  }));
  return {
    id: taskId(number),
    name: `Keep record ${number}`,
    phase: number === 1 ? 1 : steel ? 2 : 3,
    task_type: 'feature',
    context: {
      domain: `domain ${Math.floor((first - 1) / (inCapability * inDomain)) + 1}`,
      capability: `records from ${first}`,
      spec_ref: { quote: sentence(first), location: 'Records' },
      spec_requirements: [sentence(number)],
      steel_thread: steel,
    },
    behaviors: [`B${number}`],
    files: [...foundation, ...created].map(({ path, purpose }) => ({ path, action: 'create', purpose })),
    dependencies: { tasks: needs.map(taskId), external: [] },
    acceptance_criteria: [
      { criterion: `All tests of record ${number} pass`, verification: `node --test ${testFile(number)}` },
      {
        criterion: `The module exports keep and show for record ${number}`,
        verification: `grep -q 'export' ${source(number)} && grep -q "show" ${source(number)}`,
      },
    ],
    estimate_hours: 1 + (number % 4),
  };
}
