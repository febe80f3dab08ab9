import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A process that must outlive the process that starts it; its input and output are files. */
export interface StartRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Null is an empty input. */
  readonly stdinFile: string | null;
  /** Null is nowhere. */
  readonly logFile: string | null;
}

/** Starts it in a session of its own. Resolves when it has ended; with a sentence when it could not be started. */
export function startAndWait(request: StartRequest, began?: () => void): Promise<string | null> {
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = start(request);
    } catch (error) {
      resolve(String(error));
      return;
    }
    if (began !== undefined) child.once('spawn', began);
    // It outlives us, so it is no reason for us to stay: the process that advances a run stays for the run.
    child.unref();
    // Not `close`: that would wait for everybody who inherited a pipe.
    child.once('exit', () => {
      resolve(null);
    });
    child.once('error', (error) => {
      resolve(String(error));
    });
  });
}

function start({ program, args, env, stdinFile, logFile }: StartRequest): ChildProcess {
  const opened: number[] = [];
  const open = (path: string, flags: string): number => {
    const descriptor = openSync(path, flags, 0o600);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    const input = stdinFile === null ? 'ignore' : open(stdinFile, 'r');
    const output = logFile === null ? 'ignore' : open(logFile, 'a');
    return spawn(program, [...args], { detached: true, stdio: [input, output, 'ignore'], env });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
