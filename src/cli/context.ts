import type { CommandContext, StricliProcess } from '@stricli/core';
import type { CallerFacts } from '../model/ports/caller.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Environment } from '../app/opened-project.ts';

/** Everything a command may touch outside itself. */
export interface Context extends CommandContext {
  /** What is written here leaves without secrets. */
  readonly process: StricliProcess;
  /** Called with what an opened project says is secret. */
  readonly protect: (redactor: Redactor) => void;
  /** When the command was called, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Where the person stands. */
  readonly folder: string;
  readonly env: Environment;
  /** Who calls, as the system knows it. */
  readonly caller: CallerFacts;
  readonly screen: Screen;
  readonly input: Input;
  readonly machine: Machine;
  /** The command only looks; absent: it may change something. */
  readonly reads?: boolean;
  /** It shows one state of the project; absent: it sees what changes meanwhile. */
  readonly pinned?: boolean;
  /** The file that starts this program again. */
  readonly program: string;
  /** Hears Ctrl-C and SIGTERM from now on, instead of the process ending. */
  onSignal(listener: (signal: StopSignal) => void): Disposable;
  /** Git and others are found with the environment of this process, which must lead into no untrusted repository. */
  leaveForeignPrograms?(): Promise<void>;
  /** For the person who will not wait: ends the process here and now. */
  leave(exitCode: number): void;
}

/** What kind of machine this is; a test may be on any. */
interface Machine {
  readonly platform: NodeJS.Platform;
  /** Whether systemd runs it. */
  readonly systemd: boolean;
}

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Standard output as somebody looks at it. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly colour: boolean;
  columns(): number;
  rows(): number;
  onResize(listener: () => void): Disposable;
  /** The reader went away (`tutti events --follow | head`). */
  isClosed(): boolean;
  /** As they are: only for a person who asked for just that. They may be changed again when it resolves. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** When the reader has taken what was written: a slow one must not fill our memory. */
  drained(): Promise<void>;
  /** When everything was written: why some of it could not be. Null: all was, or the reader went away. */
  writeProblem(): Promise<string | null>;
}

export interface Input {
  readonly isTerminal: boolean;
  /** All of it, to the end. */
  text(): Promise<string>;
  /** `gone`: nothing is asked any more, and what is typed is no answer. */
  line(gone?: AbortSignal): Promise<Typed>;
  /** Forgets what was typed before now, ahead of the question. */
  dropTypedAhead(): void;
  /** Each key of a terminal as it is pressed, Ctrl-C among them, until disposed. */
  onKey(listener: (key: Key) => void): Disposable;
}

/**
 * What a person does at a question: a line, the end of the input (Ctrl-D, or the question is gone), or Ctrl-C, which answers
 * nothing.
 */
export type Typed =
  | { readonly at: 'line'; readonly text: string }
  | { readonly at: 'end' }
  | { readonly at: 'interrupted' };

/** A key as `readline` names it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}
