import { behaviorsOf, type CapabilityMap } from './capability-map.ts';
import { documentDigest, isChecksumOf } from './checksum.ts';
import type { PhysicalMap, PlannedAction } from './physical-map.ts';
import { physicalMapFile, type PlanFacts, type PlanIssue } from './plan-facts.ts';
import { pathTrouble } from './target-path.ts';

type Say = (path: PlanIssue['path'], message: string) => void;

/** A file somewhere in the map. */
interface Placed {
  readonly file: { readonly path: string; readonly action: PlannedAction };
  readonly place: PlanIssue['path'];
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
  const within = (files: readonly Placed['file'][], ...place: PlanIssue['path']): readonly Placed[] =>
    files.map((file, index) => ({ file, place: [...place, index] }));
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
  const created = new Set(files.filter(({ file }) => file.action === 'create').map(({ file }) => file.path));
  for (const { file, place } of files) {
    const { path, action } = file;
    const at = [...place, 'path'];
    const trouble = pathTrouble(path);
    if (trouble !== null) {
      say(at, trouble);
      continue;
    }
    const standing = facts.standing(path);
    if (standing === 'outside') say(at, 'leads out of the target directory through a link');
    else if (standing === 'folder') say(at, 'is a directory of the target');
    else if (facts.touched(path)) continue;
    else if (action === 'create' && standing === 'file' && facts.projectType === 'existing') {
      say(at, 'exists already: its action must be modify or extend');
    } else if (action !== 'create' && standing === 'absent' && !created.has(path)) {
      say(at, `does not exist and nothing creates it: its action cannot be ${action}`);
    }
  }
}
