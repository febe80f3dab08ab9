import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { currentProcess } from '../lib/process/identity.ts';
import { declareStarted } from './attempt-files.ts';
import { AnnouncedEnding, closeAttempt } from './close-attempt.ts';
import { endAttempt } from './follow.ts';
import { exitOf } from './exit-of.ts';
import { type RelaySpec, readRelaySpec } from './session-relay-spec.ts';
import { Inlet } from './inlet.ts';
import { entering } from './limits/enter.ts';
import { type Finish, watchSession } from './limits/watch.ts';
import { notStarted, type RecordedEnd } from './recorded-end.ts';

/** The session relay: the launcher for agents that are talked to while they work. Same files, same promises. */
export async function runSessionRelay(dir: string): Promise<void> {
  const spec = readRelaySpec(dir);
  if (spec === null || !declareStarted(dir, currentProcess(), spec.marker)) return;
  const end = await runAgent(dir, spec).catch(async (error: unknown) => {
    await endOthers(spec.marker);
    return notStarted(String(error));
  });
  await closeAttempt(dir, spec, end);
}

async function runAgent(dir: string, spec: RelaySpec): Promise<RecordedEnd> {
  const endings: Promise<unknown>[] = [];
  const ending = new AnnouncedEnding(dir);
  const finish: Finish = (why, reason) => {
    ending.announce(why, reason);
    if (endings.length === 0) endings.push(endOthers(spec.marker));
  };
  // Before the agent starts: from then on there is something to end and to record.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      finish('killed', `the session relay received ${signal}`);
    });
  }
  process.on('uncaughtException', (error) => {
    finish('killed', `the session relay failed: ${error.message}`);
  });
  using watch = watchSession(dir, spec, currentProcess(), finish);

  const [program, ...args] = entering(spec.argv, spec.limits, dir);
  const log = openSync(spec.logFile, 'a', 0o600);
  // Output goes straight into the log: nothing is lost or held back if this process is slow or dies.
  const child = spawn(program, args, { cwd: spec.cwd, stdio: ['pipe', log, log] });
  closeSync(log);
  if (child.stdin === null) throw new Error('the agent has no standard input');
  using inlet = new Inlet(dir, child.stdin, (reason) => {
    finish('killed', reason);
  });
  inlet.open(spec.stdinFile);
  const exit = await exitOf(child, spec);
  watch[Symbol.dispose]();
  await Promise.all(endings);
  const { ended, reason } = ending.read();
  return { ...exit, ended, reason: exit.reason ?? (reason === '' ? null : reason) };
}

/** Everybody but this process, which still has to record the end. */
async function endOthers(marker: string): Promise<unknown> {
  return endAttempt(marker, currentProcess(), null);
}
