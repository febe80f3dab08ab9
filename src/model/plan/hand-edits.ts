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
