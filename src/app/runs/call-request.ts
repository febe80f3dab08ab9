import { realpathSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { err, ok, type Result } from '../../lib/result.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import { type CallPlace, type ContextText, tierOrModel } from '../../model/compose/call-place.ts';
import type { ChosenAgent } from '../../model/compose/executor-call.ts';
import type { FlowInput } from '../../model/flow.ts';
import type { ComposeInput } from '../../model/compose-input.ts';
import { refuseFolder } from '../confinement.ts';
import { checkPromptText, readPromptFile } from '../prompt-file.ts';
import { wasUsed } from '../recovery/database-fault.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { noSessions } from '../sessions/find.ts';
import { checkedFolder } from '../sessions/folders.ts';
import { originOf } from '../sessions/origin.ts';
import type { Place } from '../tutti.ts';
import type { MayDetach } from './run-holder.ts';
import { admitDepth } from './spawn-depth.ts';
import { refuseRemovedId, refuseRunId } from './start-run.ts';

/** A text that the caller wrote, or the file that holds it. */
export type TextSource = ContextText | { readonly file: string };

/** What every call of a layer may say, as it was typed. */
export interface CallRequest extends MayDetach {
  /** Where the caller stands. */
  readonly folder: string;
  readonly context: readonly TextSource[];
  readonly driver: string | null;
  /** A tier, or the name of a model. */
  readonly model: string | null;
  readonly tools: readonly string[] | null;
  readonly cwd: string | null;
  readonly timeoutMs: number | null;
  readonly maxDepth: number | null;
  readonly currentDepth: number | null;
  readonly runId: string | null;
  readonly budget: Partial<BudgetLimits>;
}

/** A call that may be started: everything that it names was found. */
export interface PreparedCall {
  readonly request: CallRequest;
  readonly input: ComposeInput;
  /** What a run of it is called when its caller gives no name. */
  readonly name: string;
  /** One of the agents that it starts. */
  readonly agent: string;
  /** The same work as a flow, for an estimate. */
  readonly flow: Pick<FlowInput, 'flow' | 'agents'>;
}

/** Where a call works and which texts it gets. Nothing is made, so a refusal leaves nothing behind. */
export async function readCallPlace(place: Place, request: CallRequest): Promise<Result<CallPlace, Refusal>> {
  const unsafe = refuseRunId(request.runId) ?? (await refuseRemovedId(place, request.runId));
  if (unsafe !== null) return err(unsafe);
  const context: ContextText[] = [];
  for (const source of request.context) {
    const text = readSource(place, request, source, 'Extra context');
    if (!text.ok) return text;
    context.push(text.value);
  }
  const cwd = findFolder(place, request);
  if (!cwd.ok) return cwd;
  const from = { parent: null, requester: '' };
  return ok({ projectDir: place.paths.root, cwd: cwd.value, context, from });
}

/** Refuses a call that nests too deep in a project without state, which is made for a call that is in order, and only then. */
export async function refuseDepthEarly(place: Place, request: CallRequest): Promise<Refusal | null> {
  if (wasUsed(place.paths)) return null;
  const known = { ...place, ...noSessions };
  const depth = await admitDepth(known, request, await originOf(known));
  return depth.ok ? null : depth.error;
}

/** What the flags of a call choose in place of a definition. */
export function chosenBy({ model, tools, driver }: CallRequest): ChosenAgent {
  return { tier: null, model: null, ...(model === null ? {} : tierOrModel(model)), tools, driver };
}

export function readSource(
  { env }: Place,
  { folder }: CallRequest,
  source: TextSource,
  noun: string,
): Result<ContextText, Refusal> {
  if ('text' in source) {
    const text = checkPromptText(source.text, noun);
    return text.ok ? ok(source) : text;
  }
  const text = readPromptFile(source.file, { noun: `${noun} file`, folder, env });
  return text.ok ? ok({ name: basename(source.file), text: text.value }) : text;
}

/** Relative to the project. */
function findFolder({ paths: { root }, env }: Place, { folder, cwd }: CallRequest): Result<string, Refusal> {
  const found = checkedFolder(cwd ?? '.', { from: folder, within: [root] });
  if (!found.ok) return err(refusal('USAGE', `--cwd ${found.error}`, 'give a directory of the project'));
  const confined = refuseFolder(found.value, env);
  return confined === null ? ok(relative(realpathSync(root), found.value)) : err(confined);
}
