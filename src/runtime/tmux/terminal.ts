import { spawn } from 'node:child_process';
import { programFile } from '../../lib/package-files.ts';
import { currentProcess } from '../../lib/process/identity.ts';
import { readText } from '../../lib/read-text.ts';
import type { HookEvent } from '../../model/hook.ts';
import { declareStarted } from '../attempt-files.ts';
import { AnnouncedEnding, closeAttempt } from '../close-attempt.ts';
import { exitOf } from '../exit-of.ts';
import { endAttempt } from '../follow.ts';
import { FolderWatch } from '../folder-watch.ts';
import { type RelaySpec, readRelaySpec } from '../session-relay-spec.ts';
import { entering } from '../limits/enter.ts';
import { type Finish, watchSession } from '../limits/watch.ts';
import { notStarted, type RecordedEnd } from '../recorded-end.ts';
import { noteSession } from '../session-log.ts';
import { terminalName, Tmux } from './client.ts';
import { Conversation } from './conversation.ts';
import { type Handover, takeHandover } from './handover.ts';
import { HookFile } from './hook-file.ts';
import { TerminalRecord } from './terminal-record.ts';
import { Typist } from './typist.ts';

const maxPromptBytes = 16 * 1024 * 1024;
const hookPollMs = 250;
const hungUp = 'its tmux session was ended';

/** The terminal relay: the launcher for an interface that a person sees. Same files, same promises as the session relay. */
export async function runTerminal(dir: string, address: string): Promise<void> {
  const endings: Promise<unknown>[] = [];
  const ending = new AnnouncedEnding(dir);
  let marker: string | null = null;
  const finish: Finish = (why, reason) => {
    if (marker === null) process.exit(0);
    ending.announce(why, reason);
    if (endings.length === 0) endings.push(endAttempt(marker, currentProcess(), null));
  };
  handleSignals(finish);
  const handover = await takeHandover(address);
  const spec = readRelaySpec(dir);
  if (handover === null || spec === null || !declareStarted(dir, currentProcess(), spec.marker)) return;
  marker = spec.marker;
  const view = new TerminalRecord(dir, spec.logFile);
  const end = await runInterface({ dir, spec, handover, view, finish }).catch(async (error: unknown) => {
    await endAttempt(spec.marker, currentProcess(), null);
    return notStarted(String(error));
  });
  if (end.signal === 'SIGHUP') ending.announce('killed', hungUp);
  await Promise.all(endings);
  const { ended, reason } = ending.read();
  const recorded = { ...end, ended, reason: end.reason ?? (reason === '' ? null : reason) };
  await closeAttempt(dir, spec, recorded);
  view.tellBlocks();
}

/** Ctrl-C and Ctrl-\ are meant for the interface; a terminal that is taken away is the end of the session. */
function handleSignals(finish: Finish): void {
  process.on('SIGHUP', () => {
    finish('killed', hungUp);
  });
  process.on('SIGTERM', () => {
    finish('killed', 'the terminal relay received SIGTERM');
  });
  process.on('SIGINT', () => undefined);
  process.on('SIGQUIT', () => undefined);
  process.on('uncaughtException', (error) => {
    finish('killed', `the terminal relay failed: ${error.message}`);
  });
}

interface InterfaceParts {
  readonly dir: string;
  readonly spec: RelaySpec;
  readonly handover: Handover;
  readonly view: TerminalRecord;
  readonly finish: Finish;
}

async function runInterface(parts: InterfaceParts): Promise<RecordedEnd> {
  const { dir, spec, handover, view, finish } = parts;
  // Silence is no stall here: a person may leave it at rest for a day, and its hooks tell when it waits.
  const watched = { ...spec, limits: { ...spec.limits, stallMs: null } };
  using watch = watchSession(dir, watched, currentProcess(), finish);
  view.show({ at: 'starting' });
  const typist = new Typist(new Tmux(handover.tmux, handover.tmuxEnv), handover.pane, handover.times);
  using feed = new HookFeed(dir, (hook) => {
    typist.heard(hook);
    view.heard(hook);
  });
  const [program, ...args] = entering(spec.argv, spec.limits, dir);
  const child = spawn(program, args, {
    cwd: spec.cwd,
    stdio: 'inherit',
    env: interfaceEnvironment(handover),
  });
  const exited = exitOf(child, spec);
  using conversation = new Conversation({
    dir,
    typist,
    prompt: promptOf(spec.stdinFile),
    note: (level, message) => {
      noteSession(dir, [level, message]);
    },
    show: (activity) => {
      view.show(activity);
    },
    cancel: (reason) => {
      finish('killed', reason);
    },
  });
  const exit = await exited;
  for (const open of [conversation, feed, watch]) open[Symbol.dispose]();
  return { ...exit, ended: null };
}

/** Reports each hook event once, in order. */
export class HookFeed implements Disposable {
  readonly #file: HookFile;
  readonly #watch: FolderWatch;
  readonly #report: (hook: HookEvent) => void;

  constructor(dir: string, report: (hook: HookEvent) => void) {
    this.#file = new HookFile(dir);
    this.#report = report;
    this.#watch = new FolderWatch(dir, hookPollMs, () => {
      this.#look();
    });
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
    this.#look();
  }

  #look(): void {
    for (const hook of this.#file.read()) this.#report(hook);
  }
}

/** What its launcher gave it, and what only the pane knows: which terminal this is, and where hooks report. */
function interfaceEnvironment({ env }: Handover): Record<string, string> {
  return {
    ...env,
    TERM: terminalName,
    TUTTI_NODE: process.execPath,
    TUTTI_HOOK: programFile('hook-program'),
  };
}

function promptOf(file: string | null): string | null {
  if (file === null) return null;
  const text = readText(file, { maxBytes: maxPromptBytes, links: 'refuse' });
  return text.ok && text.value !== '' ? text.value : null;
}
