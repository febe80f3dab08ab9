import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { endProcesses } from '../../lib/process/end-processes.ts';
import { familyFinder } from '../../lib/process/process-family.ts';
import { identify, type ProcessIdentity } from '../../lib/process/identity.ts';
import { system } from '../../lib/process/system.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { markerVariable } from '../process-spec.ts';
import { Ended } from './peer.ts';

/** After its input was closed it may save what it likes, for so long. */
const farewellMs = 700;
const lastWordsMs = 500;
const endingTimes = { graceMs: 700, limitMs: 5000 } as const;

/** What is heard of an agent besides its messages. */
interface AgentEars {
  readonly onGone: (why: Ended) => void;
  readonly onComplaint: (text: string) => void;
}

/** The agent: a child with both pipes in our hands. Its complaints go to the log as they are. */
export class AgentProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #find: () => readonly ProcessIdentity[];
  readonly #exited: Promise<void>;
  #lastWords = '';

  constructor(
    [program, ...args]: readonly [string, ...string[]],
    cwd: string,
    { onGone, onComplaint }: AgentEars,
  ) {
    // A session of its own, so that it is found by that as well as by its mark.
    const child = spawn(program, args, { cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    const leader = child.pid === undefined ? null : identify(child.pid);
    this.#find = treeFinder(leader);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text);
      this.#lastWords = `${this.#lastWords}${text}`.slice(-8000);
      onComplaint(text);
    });
    this.#exited = new Promise((resolve) => {
      child.once('error', (error) => {
        onGone(new Ended('unavailable', `${program} cannot be run: ${error.message}`));
        resolve();
      });
      child.once('exit', (code, signal) => {
        const gone = (): void => {
          onGone(
            new Ended('gone', `${program} ended in the middle (${code ?? signal ?? ''})${this.words()}`),
          );
          resolve();
        };
        // What it said last may still be on its way; what it started may hold its output open for ever.
        child.once('close', gone);
        setTimeout(gone, lastWordsMs).unref();
      });
    });
  }

  get input(): Writable {
    return this.#child.stdin;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  /** Lets it go; whoever stays, with all that it started, is ended. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    await Promise.race([this.#exited, pause(farewellMs, undefined, { ref: false })]);
    await endProcesses({ ...endingTimes, find: this.#find, recorder: null });
  }

  /** The end of what it complained about, if anything, after a colon. */
  words(): string {
    const lines = this.#lastWords.trim().split('\n');
    const last = lines
      .filter((line) => !/^\s+at /.test(line))
      .slice(-6)
      .join(' ');
    return last === '' ? '' : `: ${oneLine(last, 700)}`;
  }
}

/** Everybody of this attempt but ourselves and those who started us: a tool may have outlived the agent that started it. */
function treeFinder(leader: ProcessIdentity | null): () => readonly ProcessIdentity[] {
  const own = system().variable(process.pid, markerVariable);
  const above = new Set<number>();
  for (let row = system().one(process.pid); row !== null && row.parent > 0; row = system().one(row.parent)) {
    if (above.has(row.parent)) break;
    above.add(row.parent);
  }
  const accepts = (value: string): boolean => value === own;
  const find = familyFinder({ variable: markerVariable, accepts, leader });
  return () => find().filter(({ pid }) => !above.has(pid));
}
