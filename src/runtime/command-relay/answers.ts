import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../lib/atomic-file.ts';
import { errorCode } from '../../lib/error-code.ts';
import { answerFiles, type RelayAnswer, relayLimits } from '../../model/command-relay.ts';

export type OutputStream = 'out' | 'err';

interface OpenAnswer {
  readonly descriptors: Readonly<Record<OutputStream, number>>;
  readonly bytes: Record<OutputStream, number>;
}

/** The answers to one session's requests: files that its agent can read and not change. */
export class Answers {
  readonly #folder: string;
  readonly #open = new Map<string, OpenAnswer>();
  /** Finished ones, the oldest first, and what each takes of the disk. */
  readonly #kept = new Map<string, number>();
  /** Ends that a full disk did not take yet. */
  readonly #owed = new Map<string, RelayAnswer>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Exclusive, and the proof that the request was taken. False: it was taken before, or the disk cannot tell now. */
  open(id: string): boolean {
    const { out, err } = answerFiles(id);
    try {
      const first = openSync(join(this.#folder, out), 'wx', 0o600);
      const descriptors = { out: first, err: openSync(join(this.#folder, err), 'w', 0o600) };
      this.#open.set(id, { descriptors, bytes: { out: 0, err: 0 } });
      return true;
    } catch (error) {
      // Otherwise it would count as taken, and is not.
      if (errorCode(error) !== 'EEXIST') this.#remove(id);
      return false;
    }
  }

  /** What does not fit is dropped: a command is carried out whether or not its output can be kept. */
  write(id: string, stream: OutputStream, bytes: Buffer): void {
    const answer = this.#open.get(id);
    if (answer === undefined) return;
    const rest = bytes.subarray(0, Math.max(0, relayLimits.outputBytes - answer.bytes[stream]));
    try {
      answer.bytes[stream] += writeSync(answer.descriptors[stream], rest);
    } catch {
      // A full disk.
    }
  }

  close(id: string, end: RelayAnswer): void {
    const answer = this.#open.get(id);
    this.#open.delete(id);
    for (const descriptor of Object.values(answer?.descriptors ?? {})) closeSync(descriptor);
    this.#kept.set(id, (answer?.bytes.out ?? 0) + (answer?.bytes.err ?? 0));
    this.#prune();
    this.#owed.set(id, end);
    this.retry();
  }

  /** Writes the ends that are owed. */
  retry(): void {
    for (const [id, end] of this.#owed) {
      try {
        replaceFile(join(this.#folder, answerFiles(id).end), JSON.stringify(end));
        this.#owed.delete(id);
      } catch {
        return;
      }
    }
  }

  /** No caller is left to read them. */
  removeAll(): void {
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name), { force: true });
  }

  #prune(): void {
    let bytes = [...this.#kept.values()].reduce((sum, each) => sum + each, 0);
    for (const [id, size] of this.#kept) {
      if (this.#kept.size <= relayLimits.keptAnswers && bytes <= relayLimits.keptBytes) return;
      bytes -= size;
      this.#kept.delete(id);
      this.#owed.delete(id);
      this.#remove(id);
    }
  }

  #remove(id: string): void {
    for (const name of Object.values(answerFiles(id))) rmSync(join(this.#folder, name), { force: true });
  }
}
