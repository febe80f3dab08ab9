import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { digestText } from '../../lib/digest.ts';
import { firstFew, shownInSentence } from '../../lib/first-few.ts';
import { isObject, parsed } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { FolderWatch } from '../../runtime/folder-watch.ts';
import { readPlanFile } from '../plan-files/plan-file.ts';

/*
 * Agents of planning write the files that people edit. What is written over during a turn is kept in the session's folder,
 * because nothing else would have it: the files say only who wrote last.
 */

/** A text of a plan's file that came during the turn and was written over before its end. */
export interface OverwrittenText {
  /** In the plan's folder: `tasks/T002.json`. */
  readonly file: string;
  /** Where it is kept. */
  readonly copy: string;
}

type PlanTurn = Pick<SessionSpec, 'role' | 'handoff'>;

const folders = ['artifacts', 'tasks'];
const maxBytes = 4 * 1024 * 1024;
const lookEveryMs = 1_000;

/** Keeps each new text of the files that were there when the turn began, until disposed. Null: no agent of planning works. */
export function watchPlanFiles(spec: PlanTurn, sessionDir: string): Disposable | null {
  const planDir = planDirOf(spec);
  if (planDir === null) return null;
  const texts = knownTexts(planDir, sessionDir);
  const look = (): void => {
    try {
      for (const [file, last] of texts) {
        const text = readPlanFile(planDir, file, maxBytes);
        if (!text.ok || text.value === '' || digestText(text.value) === last) continue;
        const copy = copyPath(sessionDir, file, text.value);
        makePrivateFolder(dirname(copy));
        replaceFile(copy, text.value);
        texts.set(file, digestText(text.value));
      }
    } catch {
      // A full disk stops no turn; the next look tries again.
    }
  };
  const watches = folders.map((folder) => new FolderWatch(join(planDir, folder), lookEveryMs, look));
  return {
    [Symbol.dispose]: () => {
      for (const watch of watches) watch[Symbol.dispose]();
    },
  };
}

/** What of it is in no file of the plan now. The copies of other texts are removed. No process of the turn may be alive. */
export function findOverwritten(spec: PlanTurn, sessionDir: string): readonly OverwrittenText[] {
  const planDir = planDirOf(spec);
  if (planDir === null) return [];
  const first = readTexts(sessionDir);
  return copiesIn(sessionDir).flatMap(({ file, copy }) => {
    const now = readPlanFile(planDir, file, maxBytes);
    const text = readText(copy, { maxBytes, links: 'refuse' });
    // A part of what is there now was seen while it was written.
    const isThere = text.ok && now.ok && now.value.startsWith(text.value);
    if (text.ok && !isThere && digestText(text.value) !== first.get(file)) return [{ file, copy }];
    rmSync(copy, { force: true });
    return [];
  });
}

/** One sentence with what to do; null: nothing was written over. */
export function describeOverwritten(
  texts: readonly OverwrittenText[],
  {
    planDir,
    sessionDir,
    agent,
  }: { readonly planDir: string; readonly sessionDir: string; readonly agent: string },
): string | null {
  const [text] = texts;
  if (text === undefined) return null;
  const files = [...new Set(texts.map(({ file }) => file))];
  const place = texts.length === 1 ? text.copy : keptIn(sessionDir);
  const plan = basename(planDir);
  const command = files.some((file) => file.startsWith('tasks/')) ? 'tutti plan edit --taken' : 'tutti plan';
  return `${firstFew(files, shownInSentence)} had another text while ${agent} worked, which was written over and is kept in ${place}; if it is your edit, apply it to the file again, then: ${command} --plan ${plan}`;
}

/** Null: it is no turn of planning. */
export function planDirOf({ role, handoff }: PlanTurn): string | null {
  return role === 'planner' ? (handoff.env?.['TUTTI_PLAN_DIR'] ?? null) : null;
}

/** Digests of the files as the turn found them, by name; also for a process that takes the turn up later. */
function knownTexts(planDir: string, sessionDir: string): Map<string, string> {
  const path = recordPath(sessionDir);
  if (!existsSync(path)) {
    const found = folders.flatMap((folder) =>
      namesIn(join(planDir, folder)).map((name) => `${folder}/${name}`),
    );
    const texts = found.flatMap((file) => {
      const text = readPlanFile(planDir, file, maxBytes);
      return text.ok ? [[file, digestText(text.value)] as const] : [];
    });
    replaceFile(path, JSON.stringify(Object.fromEntries(texts)));
  }
  return readTexts(sessionDir);
}

function readTexts(sessionDir: string): Map<string, string> {
  const text = readText(recordPath(sessionDir), { maxBytes, links: 'refuse' });
  const record = text.ok ? parsed(text.value) : null;
  const entries = Object.entries(isObject(record) ? record : {});
  return new Map(entries.flatMap(([file, known]) => (typeof known === 'string' ? [[file, known]] : [])));
}

function recordPath(sessionDir: string): string {
  return join(sessionDir, 'plan-files.json');
}

function keptIn(sessionDir: string): string {
  return join(sessionDir, 'overwritten');
}

function copyPath(sessionDir: string, file: string, text: string): string {
  return join(keptIn(sessionDir), `${file}.${digestText(text).slice(0, 8)}`);
}

function copiesIn(sessionDir: string): readonly OverwrittenText[] {
  return folders.flatMap((folder) =>
    namesIn(join(keptIn(sessionDir), folder)).map((name) => ({
      file: `${folder}/${name.replace(/\.[0-9a-f]{8}$/, '')}`,
      copy: join(keptIn(sessionDir), folder, name),
    })),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
