import { behaviorForm } from './capability-map.ts';
import { filledText, list, oneOf, text } from './basic-shapes.ts';
import { layers } from './physical-map.ts';
import { document, documentVersion, taskId } from './plan-shapes.ts';
import { criteriaForm, taskContext, taskFileMembers } from './plan-task.ts';

const checksum = filledText('a checksum');

/** `bundles/T001-bundle.json` */
export const planBundleForm = document({
  version: documentVersion,
  task_id: taskId,
  name: filledText(),
  target_dir: filledText('the target directory'),
  behaviors: list(
    behaviorForm.extend({ capability: filledText(), domain: filledText() }),
    'a list of behaviors, in full',
  ),
  files: list(document({ ...taskFileMembers, layer: oneOf(layers).nullable() }), 'a list of files'),
  acceptance_criteria: criteriaForm,
  constraints: document({
    tech_stack: text().nullable(),
    project_context: text(),
    external: list(filledText(), 'a list of what is needed from outside'),
  }),
  dependencies: document({
    tasks: list(taskId, 'a list of task ids'),
    files: list(filledText('a path'), 'a list of paths'),
  }),
  context: taskContext,
  checksums: document({ task: checksum, capability_map: checksum, physical_map: checksum, spec: checksum }),
});
