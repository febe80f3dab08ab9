import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { type Json, recorded } from '../../lib/json.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { Result } from '../../lib/result.ts';
import type { Bundle } from '../../model/plan/bundle.ts';
import { readJsonForm } from '../../model/schemas/json-document.ts';
import { planBundleForm } from '../../model/schemas/plan-bundle.ts';
import { err } from '../../lib/result.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import type { PlanPaths } from './plan-paths.ts';
import { readPlanFile } from './plan-file.ts';

const maxBytes = 16 * 1024 * 1024;

export function writeBundle(
  { redactor }: { readonly redactor: Redactor },
  paths: Pick<PlanPaths, 'dir' | 'bundle'>,
  bundle: Bundle,
): void {
  makePrivateFolder(join(paths.dir, 'bundles'));
  replaceFile(paths.bundle(bundle.task_id), redactor.text(`${JSON.stringify(bundle, null, 2)}\n`));
}

/** A bundle as it lies there, if it has the form of one. */
export function readBundle({ dir }: Pick<PlanPaths, 'dir'>, id: string): Result<Bundle, readonly Problem[]> {
  const file = `bundles/${id}-bundle.json`;
  const text = readPlanFile(dir, file, maxBytes);
  return text.ok ? readJsonForm(planBundleForm, text.value, file) : err([text.error]);
}

/** Everything that is in the file of a bundle, also what its form does not know; null: it cannot be read. */
export function readBundleJson({ dir }: Pick<PlanPaths, 'dir'>, id: string): Json {
  const text = readPlanFile(dir, `bundles/${id}-bundle.json`, maxBytes);
  return text.ok ? recorded<Json>(JSON.parse(text.value)) : null;
}

/** What earlier tasks should have left and is not there. */
export function missingFiles({ target_dir, dependencies }: Bundle): readonly string[] {
  return dependencies.files.filter((path) => !existsSync(join(target_dir, path)));
}
