import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, type ProcessIdentity } from './identity.ts';
import { monotonicMs } from './monotonic.ts';
import type { ProcessTable } from './process-table.ts';
import { system } from './system.ts';

export interface EndPlan {
  /** Who is to go. Asked again each round: what is being ended may still be starting others. */
  readonly find: () => readonly ProcessIdentity[];
  /** Records how the others ended, so it gets time to end by itself before it is made to. */
  readonly recorder: ProcessIdentity | null;
  /** From the polite signal to the one that cannot be refused; 0: only the latter is sent. */
  readonly graceMs: number;
  readonly limitMs: number;
  /** Beside each KILL, and where nobody is found: ends at once what is started faster than it can be found. */
  readonly sweep?: () => void;
}

export interface EndReport {
  readonly found: number;
  readonly left: readonly ProcessIdentity[];
}

const recorderGraceMs = 2000;
const firstRoundMs = 20;
const slowestRoundMs = 100;

/** TERM, CONT (a stopped process would never see the TERM), wait, KILL; until nobody is left or the limit is reached. */
export async function endProcesses(plan: EndPlan, table: ProcessTable = system()): Promise<EndReport> {
  const startedAt = monotonicMs();
  const asked = new Set<string>();
  const seen = new Set<string>();
  let aloneSinceAt: number | null = null;
  for (let roundMs = firstRoundMs; ; roundMs = Math.min(roundMs * 2, slowestRoundMs)) {
    let left = plan.find();
    if (left.length === 0) {
      // One that was being started while we looked may be in no list: where the sweep lets nobody start, it shows now.
      plan.sweep?.();
      left = plan.find();
    }
    const others = left.filter((process) => !isSame(process, plan.recorder));
    const now = monotonicMs();
    for (const process of left) seen.add(nameOf(process));
    if (left.length === 0 || now - startedAt > plan.limitMs) return { found: seen.size, left };

    const last = now - startedAt >= plan.graceMs;
    for (const process of others) {
      if (last) send(process, 'SIGKILL', table);
      else if (!asked.has(nameOf(process))) {
        asked.add(nameOf(process));
        send(process, 'SIGTERM', table);
        send(process, 'SIGCONT', table);
      }
    }
    if (last && others.length > 0) plan.sweep?.();
    aloneSinceAt = others.length > 0 ? null : (aloneSinceAt ?? now);
    // On a full disk it is never alone: it waits for space with one short process after the other.
    const isLate = now - startedAt > plan.graceMs + recorderGraceMs;
    if (isLate || (aloneSinceAt !== null && now - aloneSinceAt > recorderGraceMs)) {
      for (const process of left) send(process, 'SIGKILL', table);
    }
    await pause(roundMs);
  }
}

function send(process_: ProcessIdentity, signal: NodeJS.Signals, table: ProcessTable): void {
  if (!isAlive(process_, table)) return;
  try {
    process.kill(process_.pid, signal);
  } catch {
    // It ended meanwhile, or is not ours to end: the next round tells, and the report names it.
  }
}

function isSame(one: ProcessIdentity, other: ProcessIdentity | null): boolean {
  return other !== null && nameOf(one) === nameOf(other);
}

function nameOf(process: ProcessIdentity): string {
  return `${process.pid} ${process.startTime}`;
}
