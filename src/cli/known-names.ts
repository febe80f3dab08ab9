/**
 * What a command is called elsewhere: in the protocol that plans come from, and by agents that remember it half. None of
 * these is near enough to the right name to be found by its letters.
 */
const knownNames: ReadonlyMap<string, string> = new Map([
  ['validate-complete', 'plan validate-tasks'],
  ['validate-tasks', 'plan validate-tasks'],
  ['validate-task', 'plan validate-tasks'],
  ['validate', 'plan validate'],
  ['advance', 'plan advance'],
  ['load-tasks', 'plan load-tasks'],
  ['ready-tasks', 'task ready'],
  ['start-task', 'task start'],
  ['complete-task', 'task complete'],
  ['fail-task', 'task fail'],
  ['retry-task', 'task retry'],
  ['skip-task', 'task skip'],
  ['generate', 'bundle generate'],
  ['generate-ready', 'bundle generate-ready'],
  ['validate-integrity', 'bundle validate-integrity'],
]);

/** As it is typed after `tutti COMMAND`; within a command only what belongs to it. */
export function knownAs(name: string, within: string | null): string | null {
  const known = knownNames.get(name) ?? null;
  if (known === null || within === null) return known;
  return known.startsWith(`${within} `) ? known.slice(within.length + 1) : `tutti ${known}`;
}
