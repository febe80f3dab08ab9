/** `project`: what this project uses. `all`: the rest of the machine too. */
export type Scope = 'project' | 'all';

/** The fix for what does not count because no person trusted it. */
export const lookAtTrust = 'look at it: tutti trust';

/** What the doctor saw. */
export interface Finding {
  readonly name: string;
  /** A warning stops nothing today. */
  readonly state: 'ok' | 'warning' | 'failure';
  readonly text: string;
  /** The command that fixes it. */
  readonly fix: string | null;
}

export function fine(name: string, text: string): Finding {
  return { name, state: 'ok', text, fix: null };
}

export function warning(name: string, text: string, fix: string): Finding {
  return { name, state: 'warning', text, fix };
}

export function fault(name: string, text: string, fix: string): Finding {
  return { name, state: 'failure', text, fix };
}
