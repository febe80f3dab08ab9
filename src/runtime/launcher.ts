import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { system } from '../lib/process/system.ts';
import { declareLost, files, markTail, recordEnd } from './attempt-files.ts';
import { settle } from './follow.ts';
import { writeHostSpec } from './host-spec.ts';
import { guardedScript, plainScript } from './launch-script.ts';
import { markerVariable, type ProcessSpec } from './process-spec.ts';
import { notStarted, type RecordedEnd } from './recorded-end.ts';
import { prepareState } from './session-state.ts';

export interface LaunchOptions {
  /** Where the shell launcher looks for processes; a test points it nowhere to stand for systems without it. */
  readonly procRoot?: string;
}

/**
 * Starts the process and follows it to its end. It outlives us: if we are killed, `adopt` goes on.
 * In one directory at most one process is ever started, whoever asks and however often.
 */
export async function launch(spec: ProcessSpec, options: LaunchOptions = {}): Promise<RecordedEnd | 'lost'> {
  if (!existsSync(join(spec.dir, files.started))) {
    const problem = await runLauncher(spec, options.procRoot ?? '/proc');
    // Nothing has run and nothing will: the exclusive file makes that sure before it is recorded.
    if (problem !== null && declareLost(spec.dir)) recordEnd(spec.dir, notStarted(problem));
  }
  return settle(spec.dir, spec.marker);
}

/** What an earlier process may have started: followed if it lives, taken if it ended, else made impossible. */
export async function adopt(dir: string, marker: string): Promise<RecordedEnd | 'lost'> {
  return settle(dir, marker);
}

/** Resolves when the launcher has ended; with a sentence when there was none. */
async function runLauncher(spec: ProcessSpec, procRoot: string): Promise<string | null> {
  const opened: number[] = [];
  const open = (path: string, flags: string): number => {
    const descriptor = openSync(path, flags, 0o600);
    opened.push(descriptor);
    return descriptor;
  };
  let child: ChildProcess;
  try {
    if (spec.session !== null) prepareState(spec.dir, spec.session);
    child =
      spec.launcher === 'host'
        ? startHost(spec)
        : startShell(spec, procRoot, [
            spec.stdinFile === null ? 'ignore' : open(spec.stdinFile, 'r'),
            open(spec.logFile, 'a'),
            'ignore',
          ]);
  } catch (error) {
    return String(error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
  return new Promise((resolve) => {
    // Not `close`: that would wait for everybody who inherited a pipe.
    child.once('exit', () => {
      resolve(null);
    });
    child.once('error', (error) => {
      resolve(String(error));
    });
  });
}

function startShell(spec: ProcessSpec, procRoot: string, stdio: StdioOptions): ChildProcess {
  const { timeoutMs } = spec;
  const script = timeoutMs === null && spec.session === null ? plainScript : guardedScript;
  const limit = timeoutMs === null ? '-' : (timeoutMs / 1000).toFixed(3);
  const until = timeoutMs === null ? '-' : String(Math.ceil((Date.now() + timeoutMs) / 1000));
  const session = spec.session === null ? '-' : 'session';
  const tail = markTail(system().bootId, spec.marker);
  const args = [spec.dir, tail, limit, until, session, spec.cwd, procRoot, ...spec.argv];
  return spawn('/bin/sh', ['-c', script, 'tutti-launch', ...args], {
    detached: true,
    stdio,
    env: { ...spec.env, [markerVariable]: spec.marker },
  });
}

function startHost(spec: ProcessSpec): ChildProcess {
  writeHostSpec(spec);
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const program = fileURLToPath(new URL(`./session-host.${extension}`, import.meta.url));
  return spawn(process.execPath, [program, spec.dir], {
    detached: true,
    stdio: 'ignore',
    env: { ...spec.env, [markerVariable]: spec.marker },
  });
}
