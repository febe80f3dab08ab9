/**
 * Tasks that a person has changed since an agent wrote them: the digest of the work as the person left it, by id. Null: the
 * person removed the task.
 */
export type HandEdits = Readonly<Record<string, string | null>>;

/** Digests of the work of tasks, by id. */
export type Works = ReadonlyMap<string, string>;

/**
 * `left`: as an agent left them. `known`: what was found the last time; it counts for as long as the task is what the
 * person made of it, although an agent has written the tasks out again meanwhile.
 */
export function handEdits(left: Works, now: Works, known: HandEdits): HandEdits {
  const ids = new Set([...left.keys(), ...now.keys(), ...Object.keys(known)]);
  const edits = [...ids].flatMap((id): readonly (readonly [string, string | null])[] => {
    const work = now.get(id) ?? null;
    const isAsThen = id in known && known[id] === work;
    return isAsThen || work !== (left.get(id) ?? null) ? [[id, work]] : [];
  });
  return Object.fromEntries(edits);
}

/** Which of them are no longer what the person made of them. */
export function overwrittenEdits(edits: HandEdits, now: Works): readonly string[] {
  return Object.entries(edits).flatMap(([id, work]) => ((now.get(id) ?? null) === work ? [] : [id]));
}

/** A task as far as its place in the plan is concerned. */
export interface PlacedWork {
  readonly work: string;
  readonly phase: number;
}

/** Tasks whose phase a person chose, as the person left them, by id. */
export type HandPhases = Readonly<Record<string, PlacedWork>>;

type Places = ReadonlyMap<string, PlacedWork>;

/**
 * `left`: works as their author left them. `ordered`: tasks as the author or the auditor last left them. `known`: what was
 * found the last time; a phase stays a person's until that person takes a task of the author's instead.
 */
export function handPhases(left: Works, ordered: Places, now: Places, known: HandPhases): HandPhases {
  const chosen = [...now].filter(([id, { work, phase }]) => {
    const [was, before] = [ordered.get(id), known[id]];
    const isAdded = was === undefined && !left.has(id);
    const isTheirs = before?.phase === phase && (before.work === work || left.get(id) !== work);
    return isAdded || isTheirs || (was !== undefined && was.phase !== phase);
  });
  return Object.fromEntries(chosen);
}

/** Tasks that are a person's, because of their work or of their phase. */
export function tasksOfPeople({
  edits,
  phases = {},
}: {
  readonly edits: HandEdits;
  readonly phases?: HandPhases;
}): HandEdits {
  const placed = Object.entries(phases).map(([id, { work }]) => [id, work] as const);
  return { ...Object.fromEntries(placed), ...edits };
}
