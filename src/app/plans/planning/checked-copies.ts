import { rmSync } from 'node:fs';
import { namesIn } from '../../../lib/names-in.ts';
import { join } from 'node:path';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { digest as digestOf } from '../../../lib/digest.ts';
import { isObject, plain } from '../../../lib/json.ts';
import { readJsonForm } from '../../../model/schemas/json-document.ts';
import { parseJson } from '../../../model/schemas/json-text.ts';
import { planTaskForm } from '../../../model/schemas/plan-task.ts';
import { taskFile } from '../../../model/plan/plan-facts.ts';
import type { ArtifactName, PlanRecord } from '../../../model/plan/plan-record.ts';
import type { PlanTask } from '../../../model/plan/plan-task.ts';
import { maxTaskBytes } from '../../plan-files/load-tasks.ts';
import type { PlanPaths } from '../../plan-files/plan-paths.ts';
import { readPlanFile } from '../../plan-files/plan-file.ts';
import { ownFolder } from './own-folder.ts';

/*
 * `checked/`: what each artifact was when it last passed, and the specification it was made from, by digest. The files in
 * the plan's folder are edited in place, by agents and people; without a copy nobody could say what they changed.
 */

const folder = 'checked';
const maxBytes = 256 * 1024 * 1024;

type CopyName = ArtifactName | 'spec' | 'history';

function fileOf(name: CopyName, digest: string): string {
  return `${folder}/${name}-${digest.replaceAll(/[^0-9a-f]/g, '')}${name === 'spec' ? '.md' : '.json'}`;
}

export function keepCopy(
  { dir }: Pick<PlanPaths, 'dir'>,
  name: CopyName,
  digest: string,
  text: string,
): void {
  ownFolder(dir, folder);
  replaceFile(join(dir, fileOf(name, digest)), text);
}

/** Null: there is none. */
export function copyOf({ dir }: Pick<PlanPaths, 'dir'>, name: CopyName, digest: string): string | null {
  const text = readPlanFile(dir, fileOf(name, digest), maxBytes);
  return text.ok ? text.value : null;
}

/** Texts of task files by their ids. */
export type TaskTexts = ReadonlyMap<string, string>;

export function keepTaskCopies(paths: Pick<PlanPaths, 'dir'>, digest: string, texts: TaskTexts): void {
  keepCopy(paths, 'tasks', digest, JSON.stringify(Object.fromEntries(texts)));
}

/** Keeps task files that need not be valid; returns the digest by which the copy is found. */
export function keepTexts(paths: Pick<PlanPaths, 'dir'>, texts: TaskTexts): string {
  const name = digestOf(plain(Object.fromEntries(texts)));
  keepTaskCopies(paths, name, texts);
  return name;
}

export function taskCopies(paths: Pick<PlanPaths, 'dir'>, digest: string): TaskTexts | null {
  const json = parseJson(copyOf(paths, 'tasks', digest) ?? '');
  if (!json.ok || !isObject(json.value)) return null;
  return new Map(Object.entries(json.value).map(([id, text]) => [id, typeof text === 'string' ? text : '']));
}

/** The tasks in copies; what is no task is left out. */
export function tasksIn(texts: TaskTexts): ReadonlyMap<string, PlanTask> {
  return new Map(
    [...texts].flatMap(([id, text]) => {
      const form = readJsonForm(planTaskForm, text, taskFile(id));
      return form.ok ? [[id, form.value] as const] : [];
    }),
  );
}

/** The files of these tasks as they are now. */
export function readTaskTexts({ dir }: Pick<PlanPaths, 'dir'>, tasks: readonly PlanTask[]): TaskTexts {
  return new Map(
    tasks.flatMap(({ id }) => {
      const text = readPlanFile(dir, taskFile(id), maxTaskBytes);
      return text.ok ? [[id, text.value] as const] : [];
    }),
  );
}

/** Only what the plan now stands on is kept; the rest was compared with already. */
export function pruneCopies(
  { dir }: Pick<PlanPaths, 'dir'>,
  { checked, made, specChecksum }: PlanRecord,
): void {
  const { left, ordered } = made?.tasks ?? {};
  const kept = new Set([
    ...[left, ordered].flatMap((digest) => (digest === undefined ? [] : [fileOf('tasks', digest)])),
    ...(specChecksum === null ? [] : [fileOf('spec', specChecksum)]),
    ...(['capability_map', 'physical_map', 'tasks'] as const).flatMap((name) =>
      checked[name] === undefined ? [] : [fileOf(name, checked[name])],
    ),
  ]);
  for (const name of namesIn(ownFolder(dir, folder))) {
    if (!kept.has(`${folder}/${name}`)) rmSync(join(dir, folder, name), { force: true });
  }
}
