import { join } from 'node:path';
import { newSession } from '../../kernel/candidate.ts';
import { formatBytes } from '../../lib/bytes.ts';
import { plain } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { exitCodeOf } from '../../model/outcome.ts';
import type { SessionRequest } from '../../model/ports/store.ts';
import { sessionKey, type SessionInput } from '../../model/session-input.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { folderBytes } from '../../runtime/limits/folder-size.ts';
import { writeCreated } from '../host/session-files.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { ensureConductor } from '../runs/ensure-conductor.ts';
import { recordWishes } from '../runs/stop-run.ts';
import type { Tutti } from '../tutti.ts';
import { requiredSession } from '../sessions/find.ts';
import { type Origin, originOfAgents } from '../sessions/origin.ts';
import { checkRequest, type CreateRequest } from './request.ts';
import { findEnded } from '../sessions/record-ended.ts';

export interface Created {
  readonly session: Session;
  /** Sentences that the person should read although it was created. */
  readonly warnings: readonly string[];
}

/**
 * Creates a session and sees it start. It is launched here, because this is where the person's environment is; from then
 * on a conductor follows it, and its launcher keeps its state with nobody awake at all.
 */
export async function createSession(tutti: Tutti, request: CreateRequest): Promise<Result<Created, Refusal>> {
  const origin = await originOfAgents(tutti, request.agent);
  if (!origin.ok) return origin;
  const input = await checkRequest(tutti, request, origin.value);
  return input.ok ? startRequested(tutti, input.value, origin.value) : input;
}

/** Records the session that was asked for and launches it. */
export async function startRequested(
  tutti: Tutti,
  input: SessionInput,
  origin: Origin,
): Promise<Result<Created, Refusal>> {
  await recordWishes(tutti);
  // The slots of what ended while no process was awake are free for this session.
  const ended = await findEnded(tutti);
  const now = input.after.length === 0;
  const request: SessionRequest = {
    run: {
      workflow: 'session',
      input: plain(input),
      limits: { depth: tutti.config.maxDepth },
      concurrency: 1,
      depth: origin.depth,
      traceId: origin.traceId,
      within: origin.within,
    },
    key: sessionKey(1),
    session: newSession(input.spec, tutti.clock.wall()),
    slot: now ? 'now' : 'queue',
  };
  // One that waits for another session is the conductor's from the beginning.
  const started = await tutti.store.startSession(request, now ? tutti.lease() : undefined, ended);
  if (started.at !== 'started') {
    const refused = whyNot(started);
    const { agent } = input.spec;
    await tutti.store.note(null, {
      type: 'session.refused',
      agent,
      requester: origin.requester,
      message: refused.message,
    });
    return err(refused);
  }
  const session = await requiredSession(tutti, started.id);
  if (!session.ok) return session;
  writeCreated(tutti.paths, tutti.config.tmux, session.value, input.spec);
  await launch(tutti, input, started.id);
  const launched = await requiredSession(tutti, started.id);
  return launched.ok ? ok({ session: launched.value, warnings: await warningsOf(tutti) }) : launched;
}

/** Until its process runs, or it has failed to; then it is the conductor's. */
async function launch(tutti: Tutti, { after }: SessionInput, id: string): Promise<void> {
  if (after.length === 0) {
    using engine = await tutti.engine();
    await engine.advance(id, { stay: false, handOver: true });
  }
  const session = await tutti.queries.sessions.one(id);
  if (session !== null && !isTerminal(session.status)) await ensureConductor(tutti, [id]);
}

type NotStarted = Exclude<Awaited<ReturnType<Tutti['store']['startSession']>>, { at: 'started' }>;

function whyNot(started: NotStarted): Refusal {
  if (started.at === 'full') {
    const message = `Max concurrent sessions (${started.max}) reached`;
    return refusal('BUDGET_EXCEEDED', message, 'List sessions: tutti session list --status RUNNING');
  }
  const { outcome, message } = started.failure;
  const code = exitCodeOf(outcome);
  return refusal(outcome, message, `this is code ${code}; see what is under way: tutti session list`);
}

async function warningsOf({ paths, config }: Tutti): Promise<readonly string[]> {
  const used = await folderBytes(join(paths.state, 'sessions'));
  if (used <= config.totalDiskWarnBytes) return [];
  return [`Session folders use ${formatBytes(used)}: tutti session archive --status COMPLETED --all`];
}
