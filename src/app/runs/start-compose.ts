import { digest } from '../../lib/digest.ts';
import { slug } from '../../lib/ids.ts';
import { plain, recorded } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import { type ComposeInput, identifySteps } from '../../model/compose-input.ts';
import { keyOf, rootStepOf } from '../../model/key.ts';
import { decide } from '../people/decide.ts';
import { identifyCaller } from '../people/identify-caller.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { originOf } from '../sessions/origin.ts';
import type { Tutti } from '../tutti.ts';
import type { PreparedCall } from './call-request.ts';
import { leaseOn } from './run-holder.ts';
import { type AdmittedDepth, admitDepth, measureDepth } from './spawn-depth.ts';
import { amendRun, freshRunId, mayStart, refuseRemovedId, type Started } from './start-run.ts';

export interface CallStarted extends Started {
  readonly depth: AdmittedDepth;
}

/** Records the run of a call, or gives a known run this call. */
export async function startCall(tutti: Tutti, prepared: PreparedCall): Promise<Result<CallStarted, Refusal>> {
  const { request, name, agent } = prepared;
  const { runId: asked, budget, maxDepth } = request;
  const removed = await refuseRemovedId(tutti, asked);
  if (removed !== null) return err(removed);
  const raised = await decideDepth(tutti, maxDepth);
  if (!raised.ok) return raised;
  const nested = asked ?? (await nameNestedCall(tutti, prepared));
  const runId = nested ?? (await freshRunId(tutti, name));
  // A ceiling stays until another one is set.
  const ceilings = { ...(await tutti.queries.budget(runId))?.limits, ...budget };
  const limits: BudgetLimits = { ...ceilings, depth: maxDepth ?? tutti.config.maxDepth };
  const wanted = { runId, workflow: 'compose', noun: `a call of ${name}`, limits, agent } as const;
  const may = await mayStart(tutti, wanted);
  if (!may.ok) return may;
  const { known, origin } = may.value;
  // An orchestrator says by its stages what becomes of it where no session fits.
  const admit = prepared.input.layer === 'orchestrator' ? measureDepth : admitDepth;
  const depth = await admit(tutti, request, origin);
  if (!depth.ok) return noteRefused(tutti, { agent, requester: origin.requester }, depth.error);
  const { parent, requester } = origin;
  const input = atDepth({ ...prepared.input, from: { parent, requester } }, depth.value);
  const bounds = { limits, concurrency: identifySteps(input).size };
  if (known !== null) {
    const before = recorded<ComposeInput>(await tutti.queries.input(runId));
    if (before.layer !== input.layer) return err(otherLayer(runId, before));
    if (known.depth < depth.value.above)
      return noteRefused(tutti, { agent, requester }, shallower(runId, known.depth));
    const edited = findEditedSteps(before, input);
    const changed = await amendRun(tutti, runId, request, { ...bounds, input: plain(input), edited });
    const note = asked === null ? `the same call was made before: run ${runId} keeps what it recorded` : null;
    return changed.ok ? ok({ runId, how: 'amended', note, depth: depth.value }) : changed;
  }
  const { traceId, within } = origin;
  const place = { id: runId, workflow: 'compose', depth: depth.value.above, traceId, within };
  const started = await tutti.store.start(
    { ...bounds, ...place, input: plain(input) },
    leaseOn(tutti, request),
  );
  // Another process started it since it was looked for.
  if (started === 'exists') return startCall(tutti, prepared);
  return ok({ runId, how: 'started', note: null, depth: depth.value });
}

function atDepth(input: ComposeInput, { above, limit }: AdmittedDepth): ComposeInput {
  return input.layer === 'orchestrator' ? { ...input, levels: Math.max(0, limit - above) } : input;
}

/**
 * The run of a call that comes from inside a session: a function of the caller's step and of the call, so that a caller that was
 * launched again pays for no call twice. Null: the call comes from elsewhere, or describes its agent itself.
 */
async function nameNestedCall(tutti: Tutti, { input, name }: PreparedCall): Promise<string | null> {
  const { parent } = await originOf(tutti);
  if (parent === null || input.layer === 'primitive') return null;
  const session = await tutti.queries.sessions.one(parent);
  if (session === null) return null;
  const caller = [session.runId, rootStepOf(session.key)];
  const about = digest(plain({ caller, call: [...identifySteps(input)] }));
  return `${slug(name)}-${about.slice(0, 12)}`;
}

/** A step with another content pays for its turns; the same call keeps what it has. */
function findEditedSteps(before: ComposeInput, now: ComposeInput): ReadonlySet<string> {
  const was = identifySteps(before);
  const changed = [...identifySteps(now)].filter(([step, identity]) => {
    const earlier = was.get(step);
    return earlier !== undefined && keyOf(step, earlier) !== keyOf(step, identity);
  });
  return new Set(changed.map(([step]) => step));
}

function otherLayer(runId: string, { layer }: ComposeInput): Refusal {
  const noun = layer === 'primitive' ? 'a spawn' : `a call of an ${layer}`;
  return refusal('USAGE', `run ${runId} is ${noun}`, 'start another run: leave out --run-id');
}

/** A run keeps the depth that it was started at, so a deeper caller may not use it to nest further. */
function shallower(runId: string, depth: number): Refusal {
  const message = `run ${runId} was started at depth ${depth}, and this command is deeper`;
  return refusal('DEPTH_EXCEEDED', message, 'start another run: leave out --run-id');
}

/** Only a person allows a greater depth than the configuration does. */
async function decideDepth(tutti: Tutti, asked: number | null): Promise<Result<unknown, Refusal>> {
  if (asked === null || asked <= tutti.config.maxDepth) return ok(null);
  if (identifyCaller(tutti.caller).kind === 'person') return ok(null);
  return decide(tutti, 'raise', `max_depth ${asked} of a call`);
}

async function noteRefused(
  { store }: Tutti,
  { agent, requester }: { readonly agent: string; readonly requester: string },
  refused: Refusal,
): Promise<{ readonly ok: false; readonly error: Refusal }> {
  const { message } = refused;
  // An agent in a sandbox may not write here; it is refused in any case.
  await store.note(null, { type: 'session.refused', agent, requester, message }).catch(() => undefined);
  return err(refused);
}
