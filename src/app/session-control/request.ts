import { resolve } from 'node:path';
import { interactiveProblem } from '../../drivers/interactive.ts';
import { variablesFor } from '../../drivers/cli-facts.ts';
import { driverOf } from '../../drivers/registry.ts';
import { unsupported } from '../../gates/json-schema-support.ts';
import { findProgram } from '../../lib/find-program.ts';
import { isSafeName } from '../../lib/ids.ts';
import { isObject, type Json } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { quoted } from '../../model/schemas/code-frame.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import type { SessionInput } from '../../model/session-input.ts';
import { sessionPrompt } from '../../model/session-prompt.ts';
import { trustProblem } from '../../model/trust.ts';
import { beginning, type SessionHost } from '../../model/turn.ts';
import { turnOfAgent } from '../../model/turn-of-agent.ts';
import { untypable } from '../../model/typed-text.ts';
import { inheritedEnvironment } from '../../runtime/environment.ts';
import type { AgentTurn } from '../agents/agent-sandbox.ts';
import { promptFor } from '../agents/equip.ts';
import { findAgent } from '../agents/find-agent.ts';
import { snapshotOf } from '../agents/snapshot.ts';
import { refuseUnrunnable } from '../agents/unrunnable.ts';
import { readNamedFile } from '../confinement.ts';
import { readPromptFile } from '../prompt-file.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { workspaceTrust } from '../trust/workspace-trust.ts';
import type { Place } from '../tutti.ts';
import { type KnownSessions, requiredSession } from '../sessions/find.ts';
import { checkedFolder } from '../sessions/folders.ts';
import type { Origin } from '../sessions/origin.ts';
import { withTemplate } from './template.ts';

/** `tutti session create`, as it was typed. */
export interface CreateRequest {
  readonly agent: string;
  readonly promptFile: string;
  /** Where the person stands. */
  readonly folder: string;
  readonly driver: string | null;
  readonly host: SessionHost | null;
  readonly cwd: string | null;
  readonly addDirs: readonly string[];
  readonly tags: readonly string[];
  readonly parent: string | null;
  readonly after: readonly string[];
  readonly retry: number;
  readonly maxDurationMs: number | null;
  readonly result: 'required' | 'optional' | null;
  readonly resultSchema: string | null;
  readonly template: string | null;
}

const maxSchema = 1024 * 1024;
const maxTags = 20;

/** Everything is checked before anything is made: a refusal leaves nothing behind. */
export async function checkRequest(
  tutti: KnownSessions & Place,
  request: CreateRequest,
  origin: Origin,
): Promise<Result<SessionInput, Refusal>> {
  const { config } = tutti;
  const agent = findAgent(tutti, request.agent);
  if (!agent.ok) return usage(problemSentence(agent.error), 'see which agents there are: tutti agents');
  const prompt = promptOf(tutti, request);
  if (!prompt.ok) return prompt;
  const snapshot = snapshotOf(agent.value, config);
  const host = request.host ?? config.host;
  const ready = readyToRun(
    tutti,
    agent.value.name,
    { ...snapshot, driver: request.driver ?? snapshot.driver },
    host,
  );
  if (!ready.ok) return ready;
  const role = promptFor(tutti, agent.value, ready.value);
  if (!role.ok) return usage(problemSentence(role.error), 'fix it, then: tutti doctor');
  const folders = foldersOf(tutti, request, origin);
  if (!folders.ok) return folders;
  const workspace = folders.value.cwd;
  const distrust = distrusted(tutti, ready.value, workspace);
  if (distrust !== null) return unavailable(distrust, 'see what it brings: tutti trust --show');
  const env = inheritedEnvironment({
    parent: tutti.env,
    names: variablesFor(config, ready.value, tutti.env),
  });
  const shy =
    host === 'interactive'
      ? (interactiveProblem(ready.value, config, { workspace, env }) ?? typingProblem(prompt.value))
      : null;
  if (shy !== null) return unavailable(shy, 'or run it headless: tutti session create without --interactive');
  const others = await othersOf(tutti, request, origin);
  if (!others.ok) return others;
  const schema = schemaOf(tutti, request);
  if (!schema.ok) return schema;
  const systemPrompt = sessionPrompt(role.value, agent.value);
  const spec = turnOfAgent(
    { ...snapshot, driver: ready.value, systemPrompt, result: request.result ?? snapshot.result },
    { ...beginning, prompt: prompt.value },
    {
      workspace,
      timeoutMs: request.maxDurationMs ?? config.sessionTimeoutMs,
      priority: 0,
      handoff: {
        host,
        addDirs: folders.value.addDirs,
        tags: [...new Set(request.tags.map((tag) => tutti.redactor.text(tag)))],
        parent: others.value.parent,
        requester: origin.requester,
        resultSchema: schema.value,
      },
    },
  );
  return ok({ spec, after: [...new Set(others.value.after)], retryMax: request.retry });
}

/** Byte for byte what the file holds, inside its template if there is one. */
function promptOf(place: Place, request: CreateRequest): Result<string, Refusal> {
  const { promptFile, folder, template } = request;
  const text = readPromptFile(promptFile, { noun: 'Task prompt file', folder, env: place.env });
  if (!text.ok) return text;
  if (template === null) return text;
  const filled = withTemplate(place, template, text.value);
  return filled.ok ? filled : usage(filled.error, 'leave --template out, or write the template');
}

/** The name of the driver, when it and what the host needs are there. */
export function readyToRun(
  place: Place,
  agent: string,
  turn: AgentTurn,
  host: SessionHost,
): Result<string, Refusal> {
  const { paths, config, env } = place;
  const { driver: name } = turn;
  const searchPath = env['PATH'] ?? '';
  const driver = driverOf(name, config, { projectDir: paths.root, searchPath });
  if (!driver.ok) {
    const { outcome, message } = driver.error;
    return err(
      refusal(
        outcome === 'USAGE' ? 'USAGE' : 'UNAVAILABLE',
        message,
        'see every driver and agent CLI: tutti doctor --all',
      ),
    );
  }
  const refused = refuseUnrunnable(place, agent, { turn, missing: driver.value.missing() });
  if (refused !== null) return err(refused);
  if (host !== 'headless' && findProgram('tmux', searchPath) === null) {
    return unavailable(
      'tmux required (install: apt install tmux)',
      'or run it without: tutti session create --in headless',
    );
  }
  return ok(name);
}

/** Why nothing may run in a workspace that brings what no person trusted; null: it may. */
export function distrusted({ paths, config, env }: Place, name: string, workspace: string): string | null {
  const driver = driverOf(name, config, { projectDir: paths.root, searchPath: env['PATH'] ?? '' });
  if (!driver.ok || driver.value.obeys.length === 0) return null;
  return trustProblem(name, driver.value, workspaceTrust(workspace, { env, paths }));
}

function typingProblem(prompt: string): string | null {
  const cannot = untypable(prompt);
  return cannot === null ? null : `the prompt cannot be typed into an interface: ${cannot}`;
}

function foldersOf(
  tutti: KnownSessions & Place,
  { folder, cwd, addDirs }: CreateRequest,
  origin: Origin,
): Result<{ readonly cwd: string; readonly addDirs: readonly string[] }, Refusal> {
  const { root } = tutti.paths;
  const working = cwd === null ? ok(root) : checkedFolder(cwd, { from: folder, within: [root] });
  if (!working.ok) return usage(`--cwd ${working.error}`, 'give a directory of the project');
  const found: string[] = [];
  for (const path of addDirs) {
    // A person may show an agent what they like; an agent may pass on only what is its own.
    const added = checkedFolder(path, { from: folder, within: origin.parent === null ? null : [root] });
    if (!added.ok) return usage(`--add-dir ${added.error}`, 'give a directory that exists');
    found.push(added.value);
  }
  return ok({ cwd: working.value, addDirs: found });
}

/** Parent and predecessors by their ids, once tags and names are right. */
async function othersOf(
  known: KnownSessions,
  request: CreateRequest,
  origin: Origin,
): Promise<Result<{ readonly parent: string | null; readonly after: readonly string[] }, Refusal>> {
  const { tags } = request;
  const wrong = tags.find((tag) => !isSafeName(tag));
  if (wrong !== undefined) {
    const message = `${quoted(wrong.slice(0, 80))} cannot be a tag: letters, digits, - and _ only, at most 64`;
    return usage(message, 'choose another one');
  }
  if (tags.length > maxTags) return usage(`a session has at most ${maxTags} tags`, 'choose fewer');
  const after: string[] = [];
  for (const name of request.after) {
    const found = await requiredSession(known, name);
    if (!found.ok) return found;
    after.push(found.value.id);
  }
  const named = request.parent === null ? null : await requiredSession(known, request.parent);
  if (named?.ok === false) return named;
  const parent = named?.value.id ?? null;
  if (origin.parent !== null && parent !== null && parent !== origin.parent) {
    const message = `this is session ${origin.parent}, and cannot create a session in the name of ${parent}`;
    return usage(message, 'leave --parent out');
  }
  return ok({ parent: origin.parent ?? parent, after });
}

/** What the caller says about `result.json`; without a word about it any JSON object will do. */
function schemaOf({ env }: Place, { resultSchema, folder }: CreateRequest): Result<Json, Refusal> {
  if (resultSchema === null) return ok({ type: 'object' });
  const hint = 'give a file with a JSON Schema';
  const text = readNamedFile(resolve(folder, resultSchema), maxSchema, env);
  const shown = `--result-schema ${resultSchema.slice(0, 200)}`;
  if (!text.ok) return usage(`${shown} ${text.error.message}`, hint);
  const json = parseJson(text.value);
  if (!json.ok) return usage(`${shown} is not JSON: ${json.error}`, hint);
  if (!isObject(json.value) && typeof json.value !== 'boolean')
    return usage(`${shown} is not a JSON Schema`, hint);
  const reason = unsupported(json.value);
  return reason === null ? ok(json.value) : usage(`${shown} cannot be checked: ${reason}`, hint);
}

function usage(message: string, hint: string): { readonly ok: false; readonly error: Refusal } {
  return err(refusal('USAGE', message, hint));
}

function unavailable(message: string, hint: string): { readonly ok: false; readonly error: Refusal } {
  return err(refusal('UNAVAILABLE', message, hint));
}
