import { resolve } from 'node:path';
import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { isWithin } from '../../lib/path-below.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { type AcpSpec, type ToolKind, toolKinds } from '../../model/acp.ts';
import type { DriverEvent } from '../../model/driver.ts';
import {
  givenAnswer,
  isPermitted,
  markOf,
  type PermissionAnswer,
  type PermissionRequest,
  permissionText,
} from '../../model/permission.ts';
import { parseJson } from '../../model/schemas/json-text.ts';

/** What a tool wants to do, as far as the agent tells. */
export interface Wanted {
  readonly kind: ToolKind;
  readonly title: string;
  readonly paths: readonly string[];
  /** What it is given, as JSON; empty where that is not told. */
  readonly input: string;
}

/** `agent`: it asks before it acts. `client`: we are to act for it, perhaps after it has asked. */
export type Asking = { readonly by: 'agent'; readonly options: Json | undefined } | { readonly by: 'client' };

interface Open {
  readonly request: PermissionRequest;
  readonly settle: (decision: Decision) => void;
}

interface Decision {
  readonly answer: PermissionAnswer;
  /** Why it is denied, if it is. */
  readonly reason: string;
}

/** A person reads it to decide: what is cut off is not permitted by mistake, as far as that goes. */
const longestTarget = 4000;
/** Whoever asks for more at once wants nobody to read them. */
const mostOpen = 50;

type DecidingSpec = Pick<AcpSpec, 'rules' | 'resultFile' | 'workspace' | 'writable' | 'commands'>;

const changing: ReadonlySet<ToolKind> = new Set(['edit', 'delete', 'move']);
/** A planner's commands, with plain words only: no redirection, no substitution, no second command. */
const planningCommand = /^(?:tutti (?:plan|log)|sha256sum|ls|wc)(?: [\w./@:=+-]+)*$/;

/** Decides what an agent may do: by the rules, or by the answer of a person to a numbered question. */
export class Permissions {
  readonly #spec: DecidingSpec;
  readonly #emit: (event: DriverEvent) => void;
  readonly #open = new Map<number, Open>();
  /** Files for which a person has said yes: when the agent then lets us do it, it is not asked again. */
  readonly #granted = new Set<string>();
  #asked = 0;

  constructor(spec: DecidingSpec, emit: (event: DriverEvent) => void) {
    this.#spec = spec;
    this.#emit = emit;
  }

  /** Whether a person is being asked now. */
  get waits(): boolean {
    return this.#open.size > 0;
  }

  async decide(wanted: Wanted, asking: Asking): Promise<PermissionAnswer> {
    const { kind, paths } = wanted;
    const rule = this.#spec.rules[kind];
    const reports = kind === 'edit' && paths.length > 0 && paths.every((path) => this.#isResult(path));
    if (reports) return 'allow';
    const outside = asking.by === 'client' ? null : this.#outside(wanted);
    if (outside !== null) return this.#deny(wanted, asking, outside);
    if (rule === 'allow') return 'allow';
    const known = paths.length > 0 && paths.every((path) => this.#granted.has(grantOf(kind, path)));
    if (rule === 'ask' && asking.by === 'client' && known) return 'allow';
    const { answer, reason } = this.#unasked(kind) ?? (await this.#ask(wanted, asking));
    if (!isPermitted(answer)) return this.#deny(wanted, asking, reason, answer);
    for (const path of paths) this.#granted.add(grantOf(kind, path));
    return answer;
  }

  #deny(
    { kind, title, paths }: Wanted,
    { by }: Asking,
    reason: string,
    answer: PermissionAnswer = 'deny',
  ): PermissionAnswer {
    // What the client itself is asked to do belongs to a call that may go on without it.
    const call = by === 'agent' ? { call: true as const } : {};
    const target = oneLine(paths.length === 0 ? title : paths.join(', '), 500);
    this.#emit({ type: 'denied', tool: kind, target, reason: oneLine(reason, 500), ...call });
    return answer;
  }

  /** What the role of the turn leaves out, whatever the rules say; null: nothing of this. */
  #outside({ kind, title, paths, input }: Wanted): string | null {
    const { workspace, writable, commands } = this.#spec;
    if (kind === 'execute' && commands === 'planning')
      return planningCommand.test(commandIn(input) ?? title) ? null : 'a planner runs no such command';
    if (!changing.has(kind)) return null;
    const isFree = writable.includes(workspace);
    const inside = paths
      .map((path) => resolve(workspace, path))
      .every((path) => writable.some((folder) => isWithin(folder, path)));
    if (paths.length === 0 ? isFree : inside) return null;
    return `only ${writable.join(', ')} may be changed`;
  }

  /** What is denied without a question; null: a person decides. */
  #unasked(kind: ToolKind): Decision | null {
    if (this.#spec.rules[kind] === 'deny')
      return { answer: 'deny', reason: `the rules of the driver deny ${kind}` };
    if (this.#open.size < mostOpen) return null;
    return { answer: 'deny', reason: `more than ${mostOpen} questions are open` };
  }

  /** True: the line was an answer and is no message for the agent. One that comes twice is still no message. */
  answer(line: string): boolean {
    const given = givenAnswer(line);
    if (given === null || given.number < 1 || given.number > this.#asked) return false;
    const open = this.#open.get(given.number);
    if (open === undefined) return true;
    if (given.mark !== null && given.mark !== markOf(open.request)) {
      const message = `an answer to request ${given.number} was for something else, and is not taken`;
      this.#emit({ type: 'problem', message });
    } else this.#settle(open, given.answer);
    return true;
  }

  /** Nobody can be heard any more: the session is about to end, and its questions with it. */
  giveUp(): void {
    for (const { settle } of this.#open.values())
      settle({ answer: 'deny', reason: 'no answer can arrive any more' });
    this.#open.clear();
  }

  #settle({ request: { number, options }, settle }: Open, given: PermissionAnswer): void {
    // What the agent does not offer to remember holds once.
    const once = isPermitted(given) ? 'allow' : 'deny';
    const answer = options.includes(given) ? given : once;
    this.#open.delete(number);
    this.#emit({ type: 'answered', request: number, answer });
    settle({ answer, reason: 'a person denied it' });
  }

  #ask({ kind, title, paths, input }: Wanted, asking: Asking): Promise<Decision> {
    this.#asked += 1;
    const number = this.#asked;
    const remembers = asking.by === 'agent' ? remembered(asking.options) : [];
    // A title may name another file than the one that is meant.
    const unnamed = paths.filter((path) => !title.includes(path));
    const whole = unnamed.length === 0 ? title : `${title} (${unnamed.join(', ')})`;
    const target = oneLine(whole, longestTarget);
    const options = ['allow', 'deny', ...remembers] as const;
    const request = { number, tool: kind, target, input, options };
    const why = permissionText({ tool: kind, target: oneLine(whole) });
    return new Promise((settle) => {
      this.#open.set(number, { request, settle });
      this.#emit({ type: 'waiting', why, request });
    });
  }

  #isResult(path: string): boolean {
    return path === this.#spec.resultFile;
  }
}

/** The command that a tool is given; null where the agent does not tell it. */
function commandIn(input: string): string | null {
  const parsed = parseJson(input);
  const command = parsed.ok && isObject(parsed.value) ? textMember(parsed.value, 'command') : '';
  return command === '' ? null : command;
}

/** Who may look at a file may not therefore change it. */
function grantOf(kind: ToolKind, path: string): string {
  return `${kind === 'read' || kind === 'search' ? 'look' : 'change'} ${path}`;
}

/** In the order of preference, what the protocol calls an answer. */
const kindsOf: Readonly<Record<PermissionAnswer, readonly string[]>> = {
  allow: ['allow_once', 'allow_always'],
  deny: ['reject_once', 'reject_always'],
  always: ['allow_always'],
  never: ['reject_always'],
};

/** The option that says exactly this. Without one, the request is answered as cancelled: nothing is allowed by guess. */
export function outcomeFor(answer: PermissionAnswer, options: Json | undefined): Json {
  for (const kind of kindsOf[answer]) {
    const found = listed(options).find((option) => textMember(option, 'kind') === kind);
    if (found !== undefined) {
      return { outcome: { outcome: 'selected', optionId: textMember(found, 'optionId') } };
    }
  }
  return { outcome: { outcome: 'cancelled' } };
}

/** Answers that the agent would keep for later requests. */
function remembered(options: Json | undefined): readonly PermissionAnswer[] {
  const kinds = new Set(listed(options).map((option) => textMember(option, 'kind')));
  return (['always', 'never'] as const).filter((answer) => kindsOf[answer].some((kind) => kinds.has(kind)));
}

function listed(options: Json | undefined): readonly JsonObject[] {
  return Array.isArray(options) ? options.filter(isObject) : [];
}

export function wantedOf(tool: JsonObject): Wanted {
  const kind = toolKinds.find((known) => known === tool['kind']) ?? 'other';
  return { kind, title: textMember(tool, 'title') || kind, paths: pathsOf(tool), input: inputOf(tool) };
}

function inputOf({ rawInput }: JsonObject): string {
  const empty = rawInput === undefined || rawInput === null;
  const told = empty ? '' : JSON.stringify(rawInput);
  return told === '{}' ? '' : oneLine(told, longestTarget);
}

/** Where it works: said as locations, or as changes to be shown. */
function pathsOf({ locations, content }: JsonObject): readonly string[] {
  const places = [locations, content].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...new Set(places.map((place: Json) => textMember(place, 'path')).filter((path) => path !== ''))];
}
