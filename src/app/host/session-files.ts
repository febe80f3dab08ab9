import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { isObject } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { TmuxConfig } from '../../model/config.ts';
import type { Session, SessionEnd } from '../../model/session.ts';
import type { SessionSpec, TurnOutcome } from '../../model/turn.ts';
import type { RecordedEnd } from '../../runtime/recorded-end.ts';
import { prepareState, type SessionStateFile, terminalStatus } from '../../runtime/session-state.ts';
import { type LogLine, noteSession } from '../../runtime/session-log.ts';
import type { ProjectPaths } from '../project.ts';

const maxBytes = 1024 * 1024;

/** What `state.json` is made of. */
interface StateParts {
  readonly session: Pick<Session, 'id' | 'runId' | 'key' | 'attempt' | 'createdAt'>;
  readonly spec: SessionSpec;
  readonly dir: string;
  readonly tmux: TmuxConfig;
}

/** `state.json` with seed C's fields; the launcher adds how far the session is. */
export function stateOf({ session, spec, dir, tmux }: StateParts): SessionStateFile {
  const { host, parent, requester, tags } = spec.handoff;
  return {
    session_id: session.id,
    agent: spec.agent,
    created_at: new Date(session.createdAt).toISOString(),
    tmux_session: host === 'headless' ? null : tmuxName(tmux, session.id),
    task_prompt_file: join(dir, 'prompt.md'),
    result_file: join(dir, 'result.json'),
    parent_session: parent,
    continues: spec.continues,
    tags: [...tags],
    metadata: { max_duration_seconds: Math.round(spec.timeoutMs / 1000), priority: 'normal' },
    run_id: session.runId,
    step: session.key,
    attempt: session.attempt,
    turn: spec.turn,
    driver: spec.driver,
    tier: spec.tier,
    host,
    workspace: spec.workspace,
    requester,
    hook_blocks: 0,
  };
}

export function tmuxName({ prefix }: TmuxConfig, sessionId: string): string {
  return `${prefix}-${sessionId}`;
}

/** The handoff directory of a session that waits to be started. */
export function writeCreated(
  paths: ProjectPaths,
  tmux: TmuxConfig,
  session: Session,
  spec: SessionSpec,
): void {
  const dir = paths.session(session.id);
  makePrivateFolder(dir);
  writeFileSync(join(dir, 'prompt.md'), spec.prompt, { mode: 0o600 });
  const head = stateOf({ session, spec, dir, tmux });
  prepareState(dir, head);
  replaceFile(join(dir, 'state.json'), `${JSON.stringify({ ...head, ...notStarted })}\n`);
  noteCreated(dir, session.id, spec);
}

const notStarted = {
  status: 'CREATED',
  started_at: null,
  completed_at: null,
  exit_code: null,
  ended: null,
  activity: 'starting',
  activity_detail: null,
} as const;

/** Once, by whoever makes the directory. */
export function noteCreated(dir: string, id: string, { agent, handoff }: SessionSpec): void {
  if (existsSync(join(dir, 'session.log'))) return;
  noteSession(
    dir,
    ['INFO', `Session created: ${id}`],
    ['INFO', `Agent: ${agent}`],
    ['INFO', `Requester: ${handoff.requester}`],
    ['INFO', `Task prompt: ${join(dir, 'prompt.md')}`],
  );
}

/** The launcher could not judge the result; now that it was read, the view says how the turn ended. */
export function endOfState(dir: string, end: RecordedEnd, turn: TurnOutcome): SessionEnd {
  const status = terminalStatus(end);
  const { outcome, usage, exitCode } = turn;
  const written: readonly LogLine[] = turn.result === null ? [] : [['INFO', 'Result written: result.json']];
  const why = turn.failure === null ? '' : `: ${oneLine(turn.failure.message, 1000)}`;
  noteSession(dir, ...written, [outcome === 'SUCCESS' ? 'INFO' : 'ERROR', `Outcome: ${outcome}${why}`]);
  const path = join(dir, 'state.json');
  const state = readJson(path);
  if (state !== null) {
    const used = {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cost_usd: usage.costUsd,
    };
    // An interface has counted them itself.
    const blocks = turn.hookBlocks === 0 ? {} : { hook_blocks: turn.hookBlocks };
    unlessImpossible(() => {
      replaceFile(path, `${JSON.stringify({ ...state, outcome, usage: used, ...blocks })}\n`);
    });
  }
  return {
    status: status === 'COMPLETED' || status === 'KILLED' ? status : 'FAILED',
    exitCode,
    outcome,
    usage,
  };
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
