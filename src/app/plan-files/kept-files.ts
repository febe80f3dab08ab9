import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { isObject } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import { capabilityMapFile, physicalMapFile } from '../../model/plan/plan-facts.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import type { ProjectPaths } from '../project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { stateFolder, type Variables } from '../state-folder.ts';
import { readPlanFile } from './plan-file.ts';
import { planPathsOf } from './plan-paths.ts';

/*
 * The record of a plan knows its files by digest only. What agents were paid to write there, and what people wrote, is kept
 * outside the project, beside the copies of its database.
 */

interface Place {
  readonly paths: Pick<ProjectPaths, 'state' | 'mark'>;
  readonly env: Variables;
}

const folders = ['inputs', 'artifacts', 'tasks', 'checked', 'reports'];
const specFile = 'inputs/spec.md';
const maxBytes = 64 * 1024 * 1024;

/** By the file of the copy: what the plan's files were when it was made. */
const kept = new Map<string, string>();

/** Keeps the files as they are now. False: they are kept already, or could not be, and are with the next change. */
export function keepPlanFiles(place: Place, plan: PlanRecord, taskIds: readonly string[]): boolean {
  const { dir } = planPathsOf(place.paths, plan.name);
  // A copy is not replaced by what is left after files were removed.
  if (missingFiles(dir, plan).length > 0) return false;
  const path = copyPath(place, plan.name);
  try {
    const names = folders.flatMap((folder) => namesIn(dir, folder));
    const signature = JSON.stringify(names.map((name) => [name, ...factsOf(join(dir, name))]));
    if (kept.get(path) === signature) return false;
    const files = names.flatMap((name) => {
      const text = readPlanFile(dir, name, maxBytes);
      return text.ok ? [[name, text.value] as const] : [];
    });
    makePrivateFolder(dirname(path));
    // The file of a task that the plan still has may be gone by mistake.
    const gone = goneTasks(dir, taskIds);
    const before = gone.size === 0 ? [] : readCopy(path, plan).filter(([name]) => gone.has(name));
    const copy = { created_at: plan.createdAt, files: Object.fromEntries([...before, ...files]) };
    replaceFile(path, `${JSON.stringify(copy)}\n`);
    kept.set(path, signature);
    return true;
  } catch {
    // The files themselves are in their place.
    return false;
  }
}

/** As long as the database of a deleted `.tutti/` is kept, its plans can be brought back and need their files. */
const goneKeptMs = 30 * 24 * 60 * 60_000;

/** Deletes copies of plans that the project no longer has, once no kept database can bring them back. */
export function prunePlanCopies(place: Place, plans: readonly string[], now: number): void {
  try {
    const folder = dirname(copyPath(place, 'any'));
    const known = new Set(plans.map((plan) => `${plan}.json`));
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (!known.has(name) && statSync(path).mtimeMs < now - goneKeptMs) rmSync(path, { recursive: true });
    }
  } catch {
    // There are none, or they are deleted next time.
  }
}

/** Takes the copies along where a project was moved: their folder is named after the project's path. */
export function movePlanCopies({ paths, env }: Place, markBefore: string): void {
  const [before, after] = [markBefore, paths.mark].map((mark) => join(stateFolder(env), 'plans', mark));
  if (before === undefined || after === undefined || !existsSync(before) || existsSync(after)) return;
  renameSync(before, after);
}

/**
 * Writes files that are gone from the copy, and no others; of tasks, those that the plan has. Returns them, and those that are
 * still missing.
 */
export function restorePlanFiles(
  place: Place,
  plan: PlanRecord,
  taskIds: readonly string[],
): { readonly written: readonly string[]; readonly missing: readonly string[] } {
  const { dir } = planPathsOf(place.paths, plan.name);
  const written: string[] = [];
  const isWhole = missingFiles(dir, plan).length === 0;
  const gone = goneTasks(dir, taskIds);
  if (isWhole && gone.size === 0) return { written, missing: [] };
  for (const [name, text] of readCopy(copyPath(place, plan.name), plan)) {
    const path = join(dir, name);
    if (existsSync(path) || (isWhole && !gone.has(name))) continue;
    makePrivateFolder(dirname(path));
    replaceFile(path, text);
    written.push(name);
  }
  return { written, missing: missingFiles(dir, plan) };
}

/**
 * Why a command cannot use the files of a plan: they are gone, and a copy is kept. To write or plan them again would be paid
 * for twice. Null: they are in their place, or kept nowhere.
 */
export function refuseGoneFiles(place: Place, plan: PlanRecord): Refusal | null {
  const missing = missingFiles(planPathsOf(place.paths, plan.name).dir, plan);
  if (missing.length === 0 || readCopy(copyPath(place, plan.name), plan).length === 0) return null;
  const message = `files of plan ${plan.name} are gone, and a copy is kept: ${missing.join(', ')}`;
  return refusal('UNAVAILABLE', message, 'restore them: tutti recover');
}

/** Files that the record knows and the folder does not have. */
function missingFiles(dir: string, { specChecksum, checked }: PlanRecord): readonly string[] {
  const files = [
    ...(specChecksum === null ? [] : [specFile]),
    ...(checked.capability_map === undefined ? [] : [capabilityMapFile]),
    ...(checked.physical_map === undefined ? [] : [physicalMapFile]),
  ].filter((name) => !existsSync(join(dir, name)));
  const hasTasks = checked.tasks === undefined || namesIn(dir, 'tasks').length > 0;
  return hasTasks ? files : [...files, 'tasks/'];
}

/** The files of these tasks that the folder does not have. */
function goneTasks(dir: string, taskIds: readonly string[]): ReadonlySet<string> {
  return new Set(taskIds.map((id) => `tasks/${id}.json`).filter((name) => !existsSync(join(dir, name))));
}

function copyPath({ paths, env }: Place, plan: string): string {
  return join(stateFolder(env), 'plans', paths.mark, `${plan}.json`);
}

/** Of another plan that had the same name, nothing is restored. */
function readCopy(path: string, plan: PlanRecord): readonly (readonly [string, string])[] {
  const text = readText(path, { maxBytes: 2 * maxBytes, links: 'refuse' });
  const json = text.ok ? parseJson(text.value) : null;
  const copy = json?.ok === true && isObject(json.value) ? json.value : {};
  if (copy['created_at'] !== plan.createdAt || !isObject(copy['files'])) return [];
  return Object.entries(copy['files']).flatMap(([name, content]) =>
    typeof content === 'string' && /^(?:inputs|artifacts|tasks|checked|reports)\/[\w.-]+$/.test(name)
      ? [[name, content] as const]
      : [],
  );
}

function factsOf(path: string): readonly number[] {
  const { size, mtimeMs, ino } = statSync(path);
  return [size, mtimeMs, ino];
}

function namesIn(dir: string, folder: string): readonly string[] {
  if (!existsSync(join(dir, folder))) return [];
  return readdirSync(join(dir, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => `${folder}/${name}`);
}
