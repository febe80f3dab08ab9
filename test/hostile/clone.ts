import type { Person } from './person.ts';

/** A repository that tries to have something run, and the command with which it would. */
export interface Clone {
  readonly name: string;
  /** What kind of thing it brings. */
  readonly kind: string;
  readonly make: (person: Person) => void | Promise<void>;
  /** Fires once everything is trusted; `plan` needs a specification, which every clone has. */
  readonly fires: readonly string[];
  /** Where the person stands; the repository itself unless it says so. */
  readonly folder?: (person: Person) => string;
}
