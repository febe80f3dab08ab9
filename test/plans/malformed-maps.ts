import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Malformed } from './malformed.ts';

const map = 'artifacts/capability-map.json';
const physical = 'artifacts/physical-map.json';
const first = 'domains.0.capabilities.0';

export const malformedCapabilities: readonly Malformed[] = [
  {
    name: 'there is no map',
    spoil: (plan) => plan.delete(map),
    said: ['artifacts/capability-map.json: does not exist'],
  },
  {
    name: 'the map is a directory',
    spoil: (plan) => plan.folderInstead(map),
    said: ['artifacts/capability-map.json: is a directory'],
  },
  {
    name: 'the map is a link out',
    spoil: (plan) => plan.linkInstead(map),
    said: ['artifacts/capability-map.json: is a symbolic link'],
  },
  {
    name: 'the folder of the maps is a link out',
    spoil: ({ planDir }) => {
      renameSync(join(planDir, 'artifacts'), join(planDir, '../elsewhere'));
      symlinkSync('../elsewhere', join(planDir, 'artifacts'));
    },
    said: ["artifacts/capability-map.json: artifacts leads out of the plan's folder through a link"],
  },
  {
    name: 'no UTF-8',
    spoil: (plan) => plan.write(map, Uint8Array.of(0x7b, 0xc3, 0x28, 0x7d)),
    said: ['artifacts/capability-map.json: is not UTF-8 text'],
  },
  {
    name: 'a comma too many',
    spoil: (plan) => plan.replace(map, '"gaps": []', '"gäps": [],'),
    said: ['artifacts/capability-map.json:109:3: is not JSON: unexpected "}" at byte 3271'],
  },
  {
    name: 'it ends early',
    spoil: (plan) => plan.write(map, '{"version": "1.0", "domains": ['),
    said: ['artifacts/capability-map.json:1:32: is not JSON: it ends too early at byte 31'],
  },
  {
    name: 'nested without end',
    spoil: (plan) => plan.write(map, `${'['.repeat(200)}${']'.repeat(200)}`),
    said: ['artifacts/capability-map.json: it is nested more than 100 levels deep'],
  },
  {
    name: 'a list',
    spoil: (plan) => plan.write(map, '[]'),
    said: [
      'artifacts/capability-map.json:1:1: must be a mapping with version, spec_checksum, domains, flows, coverage, phase_filtering',
    ],
  },
  {
    name: 'another version',
    spoil: (plan) => plan.set(map, 'version', '2.0'),
    said: ['artifacts/capability-map.json:2:14: version: must be "1.0"'],
  },
  {
    name: 'a number for a text',
    spoil: (plan) => plan.set(map, 'domains.0.name', 7),
    said: ['artifacts/capability-map.json:7:15: domains[0].name: must be text that is not empty'],
  },
  {
    name: 'a type nobody knows',
    spoil: (plan) => plan.set(map, `${first}.behaviors.0.type`, 'magic'),
    said: [
      'artifacts/capability-map.json:21:23: domains[0].capabilities[0].behaviors[0].type: must be one of input, process, state, output, activation',
    ],
  },
  {
    name: 'an id of another kind',
    spoil: (plan) => plan.set(map, `${first}.behaviors.0.id`, 'b-1'),
    said: [
      'artifacts/capability-map.json:19:21: domains[0].capabilities[0].behaviors[0].id: must be an id such as B1',
    ],
  },
  {
    name: 'a misspelt member',
    spoil: (plan) => plan.replace(map, '"spec_ref"', '"spec_reff"'),
    said: [
      'artifacts/capability-map.json:13:24: domains[0].capabilities[0].spec_ref: is missing; there is "spec_reff"',
    ],
  },
  {
    name: 'a capability of nothing',
    spoil: (plan) => plan.set(map, `${first}.behaviors`, []),
    said: [
      'artifacts/capability-map.json:17:24: domains[0].capabilities[0].behaviors: must have at least one behavior',
    ],
  },
  {
    name: 'another phase',
    spoil: (plan) => plan.set(map, 'phase_filtering.active_phase', 2),
    said: ['artifacts/capability-map.json:111:21: phase_filtering.active_phase: must be 1'],
  },
  {
    name: 'another specification',
    spoil: (plan) => plan.set(map, 'spec_checksum', 'a'.repeat(64)),
    said: [
      'artifacts/capability-map.json:3:20: spec_checksum: is not the SHA-256 of inputs/spec.md: the specification is another one',
    ],
  },
  {
    name: 'a checksum cut short',
    spoil: (plan) => plan.set(map, 'spec_checksum', 'a'),
    said: [
      'artifacts/capability-map.json:3:20: spec_checksum: is not the SHA-256 of inputs/spec.md: the specification is another one',
    ],
  },
  {
    name: 'a behavior twice',
    spoil: (plan) => plan.set(map, `${first}.behaviors.1.id`, 'B1'),
    said: [
      'artifacts/capability-map.json:25:21: domains[0].capabilities[0].behaviors[1].id: B1 is used twice',
      'artifacts/capability-map.json:89:26: flows[0].steps[0].behavior_id: B2 is no behavior of this map',
    ],
  },
  {
    name: 'a capability twice',
    spoil: (plan) => plan.set(map, 'domains.0.capabilities.1.id', 'C1'),
    said: ['artifacts/capability-map.json:51:17: domains[0].capabilities[1].id: C1 is used twice'],
  },
  {
    name: 'a quote that is not in the specification',
    spoil: (plan) => plan.set(map, `${first}.spec_ref.quote`, 'The program shall fly.'),
    said: [
      'artifacts/capability-map.json:14:22: domains[0].capabilities[0].spec_ref.quote: does not occur in inputs/spec.md',
    ],
  },
  {
    name: 'a flow of an unknown behavior',
    spoil: (plan) => plan.set(map, 'flows.0.steps.1.behavior_id', 'B99'),
    said: [
      'artifacts/capability-map.json:94:26: flows[0].steps[1].behavior_id: B99 is no behavior of this map',
    ],
  },
  {
    name: 'two steps at once',
    spoil: (plan) => plan.set(map, 'flows.0.steps.1.order', 0),
    said: ['artifacts/capability-map.json:93:20: flows[0].steps[1].order: 0 is used twice in this flow'],
  },
  {
    name: 'no steel thread',
    spoil: (plan) => plan.set(map, 'flows.0.is_steel_thread', false),
    said: [
      'artifacts/capability-map.json:81:12: flows: must have a flow with is_steel_thread: the thinnest way through the whole system',
    ],
  },
  {
    name: 'more covered than there is',
    spoil: (plan) => plan.set(map, 'coverage.covered_requirements', 9),
    said: [
      'artifacts/capability-map.json:107:29: coverage.covered_requirements: is more than total_requirements, 8',
    ],
  },
  {
    name: 'something is not covered and not said',
    spoil: (plan) => plan.set(map, 'coverage.covered_requirements', 7),
    said: [
      'artifacts/capability-map.json:108:13: coverage.gaps: names 0 gaps, where 1 of 8 requirements are not covered',
    ],
  },
  {
    name: 'gaps where everything is covered',
    spoil: (plan) => plan.set(map, 'coverage.gaps', ['printing']),
    said: [
      'artifacts/capability-map.json:108:13: coverage.gaps: names 1 gaps, where 0 of 8 requirements are not covered',
    ],
  },
  {
    name: 'requirements excluded with no phase',
    spoil: (plan) => plan.set(map, 'phase_filtering.total_excluded_requirements', 3),
    said: [
      'artifacts/capability-map.json:113:36: phase_filtering.total_excluded_requirements: is 3, but no phase is excluded',
    ],
  },
];

export const malformedPhysical: readonly Malformed[] = [
  {
    name: 'there is no physical map',
    spoil: (plan) => plan.delete(physical),
    said: ['artifacts/physical-map.json: does not exist'],
  },
  {
    name: 'made from another map',
    spoil: (plan) => plan.set(physical, 'capability_map_checksum', '0'.repeat(64)),
    said: [
      'artifacts/physical-map.json:4:30: capability_map_checksum: is not the SHA-256 of artifacts/capability-map.json: that map is another one',
    ],
  },
  {
    name: 'of another target',
    spoil: (plan) => plan.set(physical, 'target_dir', '/etc'),
    said: ['artifacts/physical-map.json:3:17: target_dir: must be <here>/target'],
  },
  {
    name: 'a behavior without files',
    spoil: (plan) => {
      plan.remove(physical, 'file_mapping.7');
      plan.set(physical, 'summary', { total_behaviors: 7, total_files: 15 });
    },
    said: ['artifacts/physical-map.json:5:19: file_mapping: behavior B8 is not mapped to any file'],
  },
  {
    name: 'a behavior mapped twice',
    spoil: (plan) => plan.set(physical, 'file_mapping.7.behavior_id', 'B7'),
    said: [
      'artifacts/physical-map.json:133:22: file_mapping[7].behavior_id: B7 is mapped twice',
      'artifacts/physical-map.json:5:19: file_mapping: behavior B8 is not mapped to any file',
    ],
  },
  {
    name: 'an unknown behavior mapped',
    spoil: (plan) => plan.set(physical, 'file_mapping.7.behavior_id', 'B99'),
    said: [
      'artifacts/physical-map.json:133:22: file_mapping[7].behavior_id: B99 is no behavior of artifacts/capability-map.json',
      'artifacts/physical-map.json:5:19: file_mapping: behavior B8 is not mapped to any file',
    ],
  },
  {
    name: 'a layer nobody knows',
    spoil: (plan) => plan.set(physical, 'file_mapping.0.files.0.layer', 'cloud'),
    said: [
      'artifacts/physical-map.json:13:20: file_mapping[0].files[0].layer: must be one of api, domain, data, infra, test',
    ],
  },
  {
    name: 'a mapping without files',
    spoil: (plan) => plan.set(physical, 'file_mapping.0.files', []),
    said: ['artifacts/physical-map.json:9:16: file_mapping[0].files: must have at least one file'],
  },
  {
    name: 'a file above the target',
    spoil: (plan) => plan.set(physical, 'file_mapping.0.files.0.path', '../../etc/passwd'),
    said: ['artifacts/physical-map.json:11:19: file_mapping[0].files[0].path: may not lead up with ".."'],
  },
  {
    name: 'an absolute test',
    spoil: (plan) => plan.set(physical, 'file_mapping.0.tests.0.path', '/etc/passwd'),
    said: [
      'artifacts/physical-map.json:19:19: file_mapping[0].tests[0].path: must be relative to the target directory',
    ],
  },
  {
    name: 'a file behind a link out',
    spoil: (plan) => {
      mkdirSync(plan.targetDir);
      symlinkSync('/etc', join(plan.targetDir, 'out'));
      plan.set(physical, 'infrastructure.0.path', 'out/passwd');
    },
    said: [
      'artifacts/physical-map.json:154:15: infrastructure[0].path: leads out of the target directory through a link',
    ],
  },
  {
    name: 'a directory for a file',
    spoil: (plan) => {
      mkdirSync(join(plan.targetDir, 'package.json'), { recursive: true });
      plan.replace('tasks/T001.json', 'package.json', 'other.json');
    },
    said: ['artifacts/physical-map.json:154:15: infrastructure[0].path: is a directory of the target'],
  },
  {
    name: 'extended, and nobody creates it',
    spoil: (plan) => plan.set(physical, 'infrastructure.0.action', 'extend'),
    said: [
      'artifacts/physical-map.json:154:15: infrastructure[0].path: does not exist and nothing creates it: its action cannot be extend',
    ],
  },
  {
    name: 'created, and it is there',
    facts: { projectType: 'existing' },
    spoil: (plan) => {
      plan.inTarget('package.json');
      plan.replace('tasks/T001.json', '"create"', '"modify"');
    },
    said: [
      'artifacts/physical-map.json:154:15: infrastructure[0].path: exists already: its action must be modify or extend',
    ],
  },
  {
    name: 'a wrong sum of files',
    spoil: (plan) => plan.set(physical, 'summary.total_files', 3),
    said: [
      'artifacts/physical-map.json:162:20: summary.total_files: is 3, but the map has 17 different files',
    ],
  },
  {
    name: 'a wrong sum of behaviors',
    spoil: (plan) => plan.set(physical, 'summary.total_behaviors', 3),
    said: ['artifacts/physical-map.json:161:24: summary.total_behaviors: is 3, but file_mapping has 8'],
  },
];
