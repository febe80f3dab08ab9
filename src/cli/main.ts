import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { processCaller } from '../app/people/process-caller.ts';
import { composeStore, type StoreComposition } from '../app/store-composition.ts';
import { packageFile } from '../lib/package-files.ts';
import { exitCodeOf } from '../model/outcome.ts';
import { runCommandLine } from './command-line.ts';
import { keepCompiledCode } from './compiled-code.ts';
import type { Context, Input, Screen, StopSignal } from './context.ts';
import { dropTypedAhead, onKey } from './keyboard.ts';
import { protectedProcess } from './protected-process.ts';

/** What another entry of the program composes differently; the published one nothing. */
interface Composition {
  readonly store?: StoreComposition;
}

/** The program; the only place that reads the environment. */
export async function main(args: readonly string[], { store }: Composition = {}): Promise<void> {
  if (store !== undefined) composeStore(store);
  if (!isSomewhere()) {
    process.stderr.write(
      'tutti: the folder that you are in was deleted\n  → go to one that exists, then again\n',
    );
    process.exitCode = exitCodeOf('UNAVAILABLE');
    return;
  }
  keepCompiledCode(process.env);
  process.exitCode = await runCommandLine(args, processContext(process));
}

function isSomewhere(): boolean {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

/** Everything that a command may touch of a real process. */
export function processContext({ stdout, stderr, stdin, env }: NodeJS.Process): Context {
  const output = watchOutput(stdout);
  // What cannot be told there cannot be told at all.
  stderr.on('error', () => undefined);
  return {
    // Not `process` itself: its `exitCode` may be undefined, which exactOptionalPropertyTypes refuses.
    ...protectedProcess(
      {
        stdout: { write: (text) => void (output.isClosed() || stdout.write(text)) },
        stderr: { write: (text) => void stderr.write(text) },
        env,
      },
      env,
    ),
    startedAt: performance.timeOrigin,
    folder: process.cwd(),
    env,
    caller: processCaller(env),
    screen: screenOf(stdout, env, output),
    input: inputOf(stdin),
    machine: { platform: process.platform, systemd: existsSync('/run/systemd/system') },
    program: packageFile('tutti'),
    onSignal,
    leaveForeignPrograms: async () => {
      const { entriesOutside, projectsAround } = await import('../app/trust/path-entries.ts');
      const isOwn = (folder: string): boolean => entriesOutside(env['PATH'], folder) === env['PATH'];
      if (projectsAround(process.cwd()).every(isOwn)) return;
      const { withoutForeignPrograms } = await import('../app/trust/project-trust.ts');
      env['PATH'] = withoutForeignPrograms(env, process.cwd())['PATH'];
    },
    leave: (exitCode) => {
      process.exit(exitCode);
    },
  };
}

type Output = Pick<Screen, 'isClosed' | 'writeProblem'>;

/** Listens for what becomes of standard output. A reader that went away is no reason to abandon a run half-way. */
function watchOutput(stdout: NodeJS.WriteStream): Output {
  let state: 'open' | 'left' | { readonly problem: string } = 'open';
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (state === 'open') state = error.code === 'EPIPE' ? 'left' : { problem: error.message };
  });
  return {
    isClosed: () => state !== 'open',
    writeProblem: async () => {
      // The last write is over, and with it its error.
      if (state === 'open')
        await new Promise<void>((resolve) => {
          stdout.write('', () => {
            resolve();
          });
        });
      return typeof state === 'string' ? null : state.problem;
    },
  };
}

function screenOf(
  stdout: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  { isClosed, writeProblem }: Output,
): Screen {
  const isTerminal = stdout.isTTY && env['TERM'] !== 'dumb';
  return {
    isTerminal,
    colour: wantsColour(env, isTerminal),
    // A terminal that does not know its size says 0.
    columns: () => stdout.columns || 80,
    rows: () => stdout.rows || 24,
    onResize: (listener) => {
      stdout.on('resize', listener);
      return {
        [Symbol.dispose]: () => {
          stdout.off('resize', listener);
        },
      };
    },
    isClosed,
    writeProblem,
    writeBytes: (bytes) =>
      new Promise((resolve) => {
        // Whether it could be written is heard by whoever listens for errors.
        if (isClosed()) resolve();
        else
          stdout.write(bytes, () => {
            resolve();
          });
      }),
    drained: () =>
      new Promise((resolve) => {
        if (!stdout.writableNeedDrain || isClosed()) {
          resolve();
          return;
        }
        const done = (): void => {
          for (const event of ['drain', 'error', 'close']) stdout.off(event, done);
          resolve();
        };
        for (const event of ['drain', 'error', 'close']) stdout.on(event, done);
      }),
  };
}

/** NO_COLOR counts when it is not empty, says its standard. */
export function wantsColour(env: Context['env'], isTerminal: boolean): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  return forced === undefined ? isTerminal : forced !== '0' && forced !== 'false';
}

function inputOf(stdin: NodeJS.ReadStream): Input {
  return {
    isTerminal: stdin.isTTY,
    text: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    onKey: (listener) => onKey(stdin, listener),
    dropTypedAhead: () => {
      dropTypedAhead(stdin);
    },
    line: (gone) =>
      new Promise((resolve) => {
        const reading = createInterface({ input: stdin, ...(gone === undefined ? {} : { signal: gone }) });
        reading.once('line', (text) => {
          resolve({ at: 'line', text });
          reading.close();
        });
        // Before it closes: closed by hand, the reader looks as at the end of the input.
        const interrupt = (): void => {
          resolve({ at: 'interrupted' });
          reading.close();
        };
        process.once('SIGINT', interrupt);
        reading.once('close', () => {
          process.off('SIGINT', interrupt);
          resolve({ at: 'end' });
        });
      }),
  };
}

function onSignal(listener: (signal: StopSignal) => void): Disposable {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}
