interface Trouble {
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  readonly isReadOnly: boolean;
  readonly isLocked: boolean;
  readonly cause: unknown;
}

/** The store could not do it: nothing of the transition happened. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly hint: string;
  /** It may be read, and not written. */
  readonly isReadOnly: boolean;
  /** Another process holds it just now. */
  readonly isLocked: boolean;

  constructor({ message, hint, isReadOnly, isLocked, cause }: Trouble) {
    super(message, { cause });
    this.hint = hint;
    this.isReadOnly = isReadOnly;
    this.isLocked = isLocked;
  }
}
