import type { FileLayer, PlannedAction } from '../plan/physical-map.ts';
import { filledText, list, oneOf, wholeNumber } from './basic-shapes.ts';
import { behaviorId, document, documentVersion } from './plan-shapes.ts';

const actions = ['create', 'modify', 'extend'] as const satisfies readonly PlannedAction[];
export const layers = ['api', 'domain', 'data', 'infra', 'test'] as const satisfies readonly FileLayer[];

const most = 1_000_000;
const path = filledText('a path below the target directory');

const plannedFile = document({ path, action: oneOf(actions), layer: oneOf(layers), purpose: filledText() });
const plannedFiles = list(plannedFile, 'a list of files');

const mapping = document({
  behavior_id: behaviorId,
  behavior_name: filledText(),
  files: plannedFiles.min(1, 'must have at least one file'),
  tests: list(document({ path, action: oneOf(actions) }), 'a list of tests'),
});

/** `artifacts/physical-map.json` */
export const physicalMapForm = document({
  version: documentVersion,
  target_dir: filledText('the target directory'),
  capability_map_checksum: filledText('the SHA-256 of artifacts/capability-map.json'),
  file_mapping: list(mapping, 'a list of behaviors with their files').min(
    1,
    'must have at least one behavior',
  ),
  cross_cutting: list(document({ concern: filledText(), files: plannedFiles }), 'a list of concerns'),
  infrastructure: plannedFiles,
  summary: document({ total_behaviors: wholeNumber(0, most), total_files: wholeNumber(0, most) }),
});
