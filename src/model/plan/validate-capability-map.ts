import { behaviorsOf, type BehaviorFlow, type CapabilityMap } from './capability-map.ts';
import { isChecksumOf } from './checksum.ts';
import { capabilityMapFile, type PlanFacts, type PlanIssue } from './plan-facts.ts';

type Say = (path: PlanIssue['path'], message: string) => void;

/** What the form of the map cannot say. */
export function validateCapabilityMap(
  map: CapabilityMap,
  facts: Pick<PlanFacts, 'specText' | 'occurs'>,
): readonly PlanIssue[] {
  const issues: PlanIssue[] = [];
  const say: Say = (path, message) => issues.push({ file: capabilityMapFile, path, message });
  if (!isChecksumOf(map.spec_checksum, facts.specText)) {
    say(['spec_checksum'], 'is not the SHA-256 of inputs/spec.md: the specification is another one');
  }
  ids(map, say);
  quotes(map, facts, say);
  flows(map, say);
  coverage(map, say);
  return issues;
}

function ids({ domains, flows: all }: CapabilityMap, say: Say): void {
  const seen = new Set<string>();
  const once = (id: string, path: PlanIssue['path']): void => {
    if (seen.has(id)) say([...path, 'id'], `${id} is used twice`);
    seen.add(id);
  };
  for (const [d, domain] of domains.entries()) {
    once(domain.id, ['domains', d]);
    for (const [c, capability] of domain.capabilities.entries()) {
      const place = ['domains', d, 'capabilities', c];
      once(capability.id, place);
      for (const [b, { id }] of capability.behaviors.entries()) once(id, [...place, 'behaviors', b]);
    }
  }
  for (const [f, { id }] of all.entries()) once(id, ['flows', f]);
}

function quotes({ domains }: CapabilityMap, facts: Pick<PlanFacts, 'occurs'>, say: Say): void {
  for (const [d, { capabilities }] of domains.entries()) {
    for (const [c, { spec_ref: ref }] of capabilities.entries()) {
      if (facts.occurs(ref)) continue;
      say(['domains', d, 'capabilities', c, 'spec_ref', 'quote'], 'does not occur in inputs/spec.md');
    }
  }
}

function flows(map: CapabilityMap, say: Say): void {
  const known = new Set(behaviorsOf(map).map(({ behavior }) => behavior.id));
  for (const [f, flow] of map.flows.entries()) flowSteps(flow, f, known, say);
  if (!map.flows.some(({ is_steel_thread: steel }) => steel)) {
    say(['flows'], 'must have a flow with is_steel_thread: the thinnest way through the whole system');
  }
}

function flowSteps({ steps }: BehaviorFlow, f: number, known: ReadonlySet<string>, say: Say): void {
  const orders = new Set<number>();
  for (const [s, { order, behavior_id: id }] of steps.entries()) {
    const place = ['flows', f, 'steps', s];
    if (!known.has(id)) say([...place, 'behavior_id'], `${id} is no behavior of this map`);
    if (orders.has(order)) say([...place, 'order'], `${order} is used twice in this flow`);
    orders.add(order);
  }
}

function coverage({ coverage: given, phase_filtering: filtering }: CapabilityMap, say: Say): void {
  const { total_requirements: total, covered_requirements: covered, gaps } = given;
  const open = total - covered;
  if (open < 0) say(['coverage', 'covered_requirements'], `is more than total_requirements, ${total}`);
  else if (gaps.length > open || (open > 0 && gaps.length === 0)) {
    say(
      ['coverage', 'gaps'],
      `names ${gaps.length} gaps, where ${open} of ${total} requirements are not covered`,
    );
  }
  const { excluded_phases: excluded, total_excluded_requirements: left } = filtering;
  if (excluded.length === 0 && left > 0) {
    say(['phase_filtering', 'total_excluded_requirements'], `is ${left}, but no phase is excluded`);
  }
}
