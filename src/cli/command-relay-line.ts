import { copyFileSync, lstatSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../lib/path-below.ts';
import { exitCodeOf } from '../model/outcome.ts';
import { confinedVariable } from '../model/command-relay.ts';
import type { Channel } from '../app/command-relay/hand-over.ts';
import { asksForJson, beforeEnd } from './arguments-line.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';

/**
 * Commands that a sandboxed agent may have carried out outside: the closed list. Absent are commands that only look, which work
 * inside, and commands that run what a file says (`run`), prepare a machine or a project (`init`, `service`, `trust`, …), start an
 * editor or never end.
 */
const relayed: Readonly<Record<string, readonly string[] | 'itself'>> = {
  log: 'itself',
  'log-tokens': 'itself',
  'confirm-halt': 'itself',
  answer: 'itself',
  resume: 'itself',
  halt: 'itself',
  stop: 'itself',
  build: 'itself',
  execute: 'itself',
  land: 'itself',
  allow: 'itself',
  spawn: 'itself',
  executor: 'itself',
  orchestrator: 'itself',
  plan: 'make approve refuse verify init advance validate validate-tasks load-tasks'.split(' '),
  task: ['start', 'complete', 'widen', 'fail', 'retry', 'skip'],
  bundle: ['generate', 'generate-ready', 'clean'],
  checkpoint: ['create', 'update', 'complete', 'recover', 'clear'],
  session: ['create', 'continue', 'wait', 'send', 'kill', 'archive'],
};

/** Commands whose arguments name files that they read. */
const reading: ReadonlySet<string> = new Set([
  'session create',
  'spawn',
  'executor',
  'orchestrator',
  'plan init',
  'plan make',
  'build',
]);

/** What a sandbox has of its own there; the same path leads elsewhere outside. */
const privateFolders = ['/tmp', '/dev/shm'];
const maxAttachedBytes = 16 * 1024 * 1024;

/** The name of a command that may be relayed; null: it may not. */
export function findRelayed(line: readonly string[]): string | null {
  const [command = '', part = ''] = line;
  const parts = Object.hasOwn(relayed, command) ? relayed[command] : undefined;
  if (parts === undefined) return null;
  if (parts === 'itself') return command;
  return parts.includes(part) ? `${command} ${part}` : null;
}

/** Whether this process is a command that a relay carries out. Help asks too, so nothing else is loaded for it. */
export function isConfined({ env }: Pick<Context, 'env'>): boolean {
  return env[confinedVariable] !== undefined;
}

/** Hands a command over that would write where a sandbox lets it only read. Null: it is carried out here. */
export async function relayLine(line: readonly string[], context: Context): Promise<number | null> {
  const name = findRelayed(line);
  const json = asksForJson(line);
  if (isConfined(context)) {
    if (name !== null) return null;
    const refused = {
      outcome: 'UNAVAILABLE',
      message: `tutti ${line.slice(0, 2).join(' ')} is not carried out for an agent in a sandbox`,
      hint: 'see what a sandbox allows: tutti help sandbox',
    } as const;
    return exitCodeOf(fail(context, refused, json));
  }
  if (name === null || beforeEnd(line).some((word) => helpFlags.has(word))) return null;
  const { findChannel, handOver, newRequestId } = await import('../app/command-relay/hand-over.ts');
  const channel = findChannel(context.env);
  if (channel === null) return null;
  const id = newRequestId();
  const { env, folder, input, process } = context;
  const argv = reading.has(name) ? attachFiles(line, { channel, id, env, folder }) : line;
  const stdin = readsInput(name, line, input.isTerminal) ? await input.text() : null;
  const listening: Disposable[] = [];
  try {
    const ended = await handOver(
      channel,
      { id, argv, cwd: folder, env, stdin },
      {
        onOut: (text) => {
          process.stdout.write(text);
        },
        onErr: (text) => {
          process.stderr.write(text);
        },
        onBegin: (pass) => {
          listening.push(context.onSignal(pass));
        },
      },
    );
    return ended.ok ? ended.value : exitCodeOf(fail(context, ended.error, json));
  } finally {
    for (const each of listening) each[Symbol.dispose]();
  }
}

const helpFlags: ReadonlySet<string> = new Set(['--help', '-h', '--helpAll', '--help-all']);

/** Commands of which `-` stands for standard input. */
const readingInput: ReadonlySet<string> = new Set([
  'answer',
  'plan init',
  'plan make',
  'build',
  'session send',
  'session continue',
  'spawn',
  'executor',
  'orchestrator',
]);

/** Reading an input that nobody closes would wait for ever, so it is read only where the command reads it. */
function readsInput(name: string, line: readonly string[], isTerminal: boolean): boolean {
  if (readingInput.has(name) && line.includes('-')) return true;
  return name === 'answer' && !isTerminal && line.filter((word) => !word.startsWith('-')).length < 3;
}

interface Attaching {
  readonly channel: Channel;
  readonly id: string;
  readonly env: Context['env'];
  readonly folder: string;
}

/** Copies files that exist only inside into the folder of the session, and names the copies. */
function attachFiles(line: readonly string[], { channel, id, env, folder }: Attaching): readonly string[] {
  const shared = [channel.sessionDir, env['TUTTI_PROJECT'] ?? '', env['TUTTI_WORKSPACE'] ?? ''].filter(
    isAbsolute,
  );
  return line.map((word, index) => {
    const path = resolve(folder, word);
    const isPrivate =
      privateFolders.some((place) => isWithin(place, path)) && !shared.some((place) => isWithin(place, path));
    if (word.startsWith('-') || !isPrivate || !isSmallFile(path)) return word;
    const copy = join(channel.sessionDir, `attached-${id}-${index}-${basename(path)}`);
    copyFileSync(path, copy);
    return copy;
  });
}

function isSmallFile(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true && facts.size <= maxAttachedBytes;
}
