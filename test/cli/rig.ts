import type { Context, Key, StopSignal, Typed } from '../../src/cli/context.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { protectedProcess } from '../../src/cli/protected-process.ts';
import type { CallerFacts } from '../../src/model/ports/caller.ts';
import { playedPerson } from '../rig/person.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { trustProject } from '../rig/trust.ts';

/** In place of a line that is typed. */
export const ctrlC = Symbol('Ctrl-C');

export interface CliOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Absent: a person. */
  readonly caller?: CallerFacts;
  readonly stdin?: string;
  /** What the person types at each question, or at one after the other; a function acts before it is typed, and may type nothing (null). Without it, the end of the input. */
  readonly typed?:
    | string
    | readonly (string | typeof ctrlC | ((gone: AbortSignal) => Promise<string | null>))[];
  /** A person sits before it: columns and rows of their screen. */
  readonly terminal?: readonly [columns: number, rows: number];
  readonly colour?: boolean;
  /** The reader of standard output went away. */
  readonly isClosed?: () => boolean;
  /** Why standard output cannot be written. */
  readonly writeProblem?: string;
  readonly machine?: Context['machine'];
  /** Whether the person trusts what the test wrote; a test about trust says no. */
  readonly trusts?: boolean;
  /** Told with every write; for a test that acts while a command runs. */
  readonly onOutput?: (all: string, control: Control) => void;
}

interface Control {
  press(key: Key): void;
  signal(signal: StopSignal): void;
  resize(columns: number, rows: number): void;
}

export interface CliEnd {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Runs a command line in this process, where coverage sees it; nothing of the real process is touched. */
export async function cli(options: CliOptions, ...args: readonly string[]): Promise<CliEnd> {
  const { folder, env = {}, stdin, terminal, colour = false, onOutput, typed } = options;
  const answers = typeof typed === 'string' ? [] : [...(typed ?? [])];
  let size = terminal ?? [80, 24];
  const written = { out: '', err: '' };
  const listeners = new Set<(signal: StopSignal) => void>();
  const resizing = new Set<() => void>();
  const typing = new Set<(key: Key) => void>();
  const control: Control = {
    press: (key) => {
      for (const listener of typing) listener(key);
    },
    signal: (signal) => {
      for (const listener of listeners) listener(signal);
    },
    resize: (columns, rows) => {
      size = [columns, rows];
      for (const listener of resizing) listener();
    },
  };
  const variables = { PATH: process.env['PATH'], HOME: folder, USER: 'ada', ...env };
  if (options.trusts !== false) trustProject(folder, variables);
  const outlets = {
    stdout: {
      write: (text: string) => {
        written.out += text;
        onOutput?.(written.out, control);
      },
    },
    stderr: { write: (text: string) => void (written.err += text) },
  };
  const context: Context = {
    ...protectedProcess(outlets, variables),
    startedAt: Date.now(),
    folder,
    env: variables,
    caller: options.caller ?? playedPerson(variables),
    screen: {
      isTerminal: terminal !== undefined,
      colour,
      columns: () => size[0],
      rows: () => size[1],
      onResize: (listener) => registered(resizing, listener),
      isClosed: options.isClosed ?? (() => false),
      drained: async () => undefined,
      writeProblem: async () => options.writeProblem ?? null,
      writeBytes: async (bytes) => {
        // One character for each byte, so that a test can tell them apart.
        written.out += Buffer.from(bytes).toString('latin1');
        onOutput?.(written.out, control);
      },
    },
    input: {
      isTerminal: stdin === undefined,
      text: async () => stdin ?? '',
      line: async (gone = new AbortController().signal): Promise<Typed> => {
        const next = typeof typed === 'string' ? typed : answers.shift();
        if (next === undefined) return { at: 'end' };
        if (next === ctrlC) return { at: 'interrupted' };
        const text = typeof next === 'function' ? await next(gone) : next;
        return text === null ? { at: 'end' } : { at: 'line', text };
      },
      dropTypedAhead: () => undefined,
      onKey: (listener) => registered(typing, listener),
    },
    machine: options.machine ?? { platform: 'linux', systemd: true },
    program: installedTutti(),
    onSignal: (listener) => registered(listeners, listener),
    leave: (exitCode) => {
      written.err += `left with ${exitCode}\n`;
    },
  };
  const code = await runCommandLine(args, context);
  return { ...written, code };
}

function registered<T>(all: Set<T>, one: T): Disposable {
  all.add(one);
  return {
    [Symbol.dispose]: () => {
      all.delete(one);
    },
  };
}
