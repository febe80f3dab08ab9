import { errorCode } from './error-code.ts';

/**
 * The machine could not do it just now: no space, no descriptors, a broken disk. That says nothing about the work, so it
 * is never recorded as its result. Whoever advances stops with this sentence, and goes on when the trouble is over.
 */
export class MachineTrouble extends Error {
  override readonly name = 'MachineTrouble';
  /** What helps. */
  readonly hint: string = 'when that is fixed, continue: tutti resume';

  constructor(path: string, why: string) {
    super(why.includes(path) ? why : `cannot use ${path}: ${why}`);
  }
}

const codes = 'ENOSPC|EDQUOT|EIO|EMFILE|ENFILE|ENOMEM|EROFS';
const code = new RegExp(`^(${codes})$`);
const sentence = new RegExp(`^Error: (spawn .*(EAGAIN|${codes})$|(${codes}):)`);

export function isMachineTrouble(error: unknown): boolean {
  return error instanceof MachineTrouble || code.test(errorCode(error));
}

/** Gives an error of the machine the path that it lacks; any other stays what it is. */
export function orTrouble(error: unknown, path: string): unknown {
  if (error instanceof MachineTrouble || !isMachineTrouble(error)) return error;
  return new MachineTrouble(path, error instanceof Error ? error.message : String(error));
}

/** The same for a process that could not be started, which another process tells as a sentence. */
export function tellsMachineTrouble(told: string): boolean {
  return sentence.test(told);
}
