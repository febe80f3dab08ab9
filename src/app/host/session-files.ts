import { join } from 'node:path';
import { appendText, replaceFile } from '../../lib/atomic-file.ts';
import { isObject } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import type { SessionEnd } from '../../model/session.ts';
import type { SessionSpec, TurnOutcome } from '../../model/turn.ts';
import type { RecordedEnd } from '../../runtime/recorded-end.ts';
import { type SessionStateFile, terminalStatus } from '../../runtime/session-state.ts';

const maxBytes = 1024 * 1024;

/** `state.json` with seed C's fields; the launcher adds how far the session is. */
export function stateOf(attempt: LaunchedAttempt, spec: SessionSpec, dir: string): SessionStateFile {
  return {
    session_id: attempt.sessionId ?? '',
    agent: spec.agent,
    created_at: new Date().toISOString(),
    tmux_session: null,
    task_prompt_file: join(dir, 'prompt.md'),
    result_file: join(dir, 'result.json'),
    parent_session: null,
    continues: spec.continues,
    tags: [],
    metadata: { max_duration_seconds: Math.round(spec.timeoutMs / 1000), priority: 'normal' },
    run_id: attempt.runId,
    step: attempt.key,
    attempt: attempt.attempt,
    turn: spec.turn,
    driver: spec.driver,
    tier: spec.tier,
    host: 'headless',
    workspace: spec.workspace,
  };
}

/** The launcher could not judge the result; now that it was read, the view says how the turn ended. */
export function endOfState(dir: string, end: RecordedEnd, turn: TurnOutcome): SessionEnd {
  const status = terminalStatus(end);
  const { outcome, usage, exitCode } = turn;
  noteSession(dir, 'INFO', `Exit code: ${exitCode ?? 'none'}`);
  noteSession(
    dir,
    outcome === 'SUCCESS' ? 'INFO' : 'ERROR',
    `Status: RUNNING → ${status}, outcome ${outcome}`,
  );
  const path = join(dir, 'state.json');
  const state = readJson(path);
  if (state !== null) {
    const used = {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cost_usd: usage.costUsd,
    };
    unlessImpossible(() => {
      replaceFile(path, `${JSON.stringify({ ...state, outcome, usage: used })}\n`);
    });
  }
  return {
    status: status === 'COMPLETED' || status === 'KILLED' ? status : 'FAILED',
    exitCode,
    outcome,
    usage,
  };
}

export function noteSession(dir: string, level: 'INFO' | 'WARN' | 'ERROR', message: string): void {
  const line = `[${new Date().toISOString()}] [${level}] ${message}\n`;
  unlessImpossible(() => {
    appendText(join(dir, 'session.log'), line);
  });
}

/** For people to read: a turn that was paid for is not lost because its log could not be written. */
function unlessImpossible(write: () => void): void {
  try {
    write();
  } catch {
    // Told nowhere: the next state write meets the same disk, and says so.
  }
}

function readJson(path: string): object | null {
  try {
    const text = readText(path, { maxBytes, links: 'refuse' });
    const parsed: unknown = text.ok ? JSON.parse(text.value) : null;
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
