/** `project`: what this project uses. `all`: the rest of the machine too. */
export type Scope = 'project' | 'all';

/** What the doctor saw. */
export interface Finding {
  readonly name: string;
  /** A warning stops nothing today. */
  readonly state: 'ok' | 'warning' | 'failure';
  readonly text: string;
  /** The command that mends it. */
  readonly mend: string | null;
}

export function fine(name: string, text: string): Finding {
  return { name, state: 'ok', text, mend: null };
}

export function warning(name: string, text: string, mend: string): Finding {
  return { name, state: 'warning', text, mend };
}

export function fault(name: string, text: string, mend: string): Finding {
  return { name, state: 'failure', text, mend };
}
