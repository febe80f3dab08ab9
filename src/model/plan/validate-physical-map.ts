import { behaviorsOf, type CapabilityMap } from './capability-map.ts';
import { documentDigest, isChecksumOf } from './checksum.ts';
import type { PhysicalMap, PlannedAction } from './physical-map.ts';
import { physicalMapFile, type PlanFacts, type PlanIssue } from './plan-facts.ts';
import { pathTrouble } from './target-path.ts';

type Say = (path: PlanIssue['path'], message: string) => void;

/** A file somewhere in the map. */
interface Placed {
  readonly file: { readonly path: string; readonly action: PlannedAction };
  /** The list that it stands in, and where in it. */
  readonly list: PlanIssue['path'];
  readonly index: number;
}

/** The map that it was made from, with the text of its file. */
export interface CapabilitySource {
  readonly value: CapabilityMap;
  readonly text: string;
}

/** What the form of the map cannot say. */
export function validatePhysicalMap(
  map: PhysicalMap,
  capabilities: CapabilitySource,
  facts: PlanFacts,
): readonly PlanIssue[] {
  const issues: PlanIssue[] = [];
  const say: Say = (path, message) => issues.push({ file: physicalMapFile, path, message });
  const given = map.capability_map_checksum;
  if (!isChecksumOf(given, capabilities.text) && given !== documentDigest(capabilities.value)) {
    say(
      ['capability_map_checksum'],
      'is not the SHA-256 of artifacts/capability-map.json: that map is another one',
    );
  }
  // Its agent works in the target, so there "." is the target too.
  if (map.target_dir !== '.' && map.target_dir.replace(/(?<=.)\/+$/, '') !== facts.targetDir) {
    say(['target_dir'], `must be ${facts.targetDir}`);
  }
  mappings(map, capabilities.value, say);
  const files = placed(map);
  paths(files, facts, say);
  const distinct = new Set(files.map(({ file }) => file.path)).size;
  const { total_behaviors: behaviors, total_files: total } = map.summary;
  if (behaviors !== map.file_mapping.length) {
    say(['summary', 'total_behaviors'], `is ${behaviors}, but file_mapping has ${map.file_mapping.length}`);
  }
  if (total !== distinct)
    say(['summary', 'total_files'], `is ${total}, but the map has ${distinct} different files`);
  return issues;
}

function mappings({ file_mapping: mapping }: PhysicalMap, capabilities: CapabilityMap, say: Say): void {
  const missing = new Set(behaviorsOf(capabilities).map(({ behavior }) => behavior.id));
  const mapped = new Set<string>();
  for (const [index, { behavior_id: id }] of mapping.entries()) {
    const place = ['file_mapping', index, 'behavior_id'];
    if (mapped.has(id)) say(place, `${id} is mapped twice`);
    else if (!missing.delete(id)) say(place, `${id} is no behavior of artifacts/capability-map.json`);
    mapped.add(id);
  }
  for (const id of missing) say(['file_mapping'], `behavior ${id} is not mapped to any file`);
}

function placed(map: PhysicalMap): readonly Placed[] {
  const within = (files: readonly Placed['file'][], ...list: PlanIssue['path']): readonly Placed[] =>
    files.map((file, index) => ({ file, list, index }));
  return [
    ...map.file_mapping.flatMap(({ files, tests }, index) => [
      ...within(files, 'file_mapping', index, 'files'),
      ...within(tests, 'file_mapping', index, 'tests'),
    ]),
    ...map.cross_cutting.flatMap(({ files }, index) => within(files, 'cross_cutting', index, 'files')),
    ...within(map.infrastructure, 'infrastructure'),
  ];
}

function paths(files: readonly Placed[], facts: PlanFacts, say: Say): void {
  const created = new Set<string>();
  for (const { file } of files) if (file.action === 'create') created.add(file.path);
  for (const { file, list, index } of files) {
    const trouble = pathTrouble(file.path) ?? standingTrouble(file, created, facts);
    if (trouble !== null) say([...list, index, 'path'], trouble);
  }
}

function standingTrouble(
  { path, action }: Placed['file'],
  created: ReadonlySet<string>,
  facts: PlanFacts,
): string | null {
  const standing = facts.standing(path);
  if (standing === 'outside') return 'leads out of the target directory through a link';
  if (standing === 'folder') return 'is a directory of the target';
  if (facts.touched(path)) return null;
  if (action === 'create') {
    const there = standing === 'file' && facts.projectType === 'existing';
    return there ? 'exists already: its action must be modify or extend' : null;
  }
  return standing === 'absent' && !created.has(path)
    ? `does not exist and nothing creates it: its action cannot be ${action}`
    : null;
}
