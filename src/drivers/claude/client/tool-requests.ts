import { isObject, type Json, type JsonObject, textMember } from '../../../lib/json.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { DriverEvent } from '../../../model/driver.ts';
import {
  givenAnswer,
  isPermitted,
  markOf,
  type PermissionAnswer,
  type PermissionRequest,
  permissionText,
} from '../../../model/permission.ts';

/** A person reads it to decide. */
const longestTarget = 4000;
/** An agent that asks for more at once wants nobody to read them. */
const mostOpen = 50;
const writers = ['Write', 'Edit', 'MultiEdit'];
/** Members that say what a tool is used on, the most telling first. */
const targets = ['command', 'file_path', 'notebook_path', 'path', 'url', 'pattern', 'query'];

export interface RequestParts {
  /** May be written without a question: an agent that cannot report has worked for nothing. */
  readonly resultFile: string;
  readonly emit: (event: DriverEvent) => void;
  /** Says one message to the CLI. */
  readonly reply: (message: JsonObject) => void;
}

interface Open {
  readonly id: string;
  readonly request: PermissionRequest;
  readonly input: Json;
}

/** Turns each `can_use_tool` of the CLI into a numbered question, and a person's answer into the CLI's own words. */
export class ToolRequests {
  readonly #parts: RequestParts;
  readonly #open = new Map<number, Open>();
  /** What a person has allowed for the rest of the session: the same tool with the same input. */
  readonly #always = new Set<string>();
  #asked = 0;

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  /** A message that wants an answer. What is not known is refused, so that the CLI does not wait for ever. */
  take({ request_id: told, request }: JsonObject): void {
    const id = typeof told === 'string' ? told : '';
    if (!isObject(request) || request['subtype'] !== 'can_use_tool') {
      this.#parts.reply(control({ subtype: 'error', request_id: id, error: 'Tutti does not answer this' }));
      return;
    }
    const [tool, input] = [textMember(request, 'tool_name'), request['input'] ?? {}];
    const asked = describeUse(tool, input);
    if (this.#isReport(tool, input) || this.#always.has(markOf({ ...asked, number: 0, options: [] }))) {
      this.#reply(id, input, 'allow');
    } else if (this.#open.size >= mostOpen) {
      this.#reply(id, input, 'deny', `more than ${mostOpen} questions are open`);
    } else this.#ask(id, input, asked);
  }

  /** The CLI no longer waits for this one. */
  withdraw({ request_id: id }: JsonObject): void {
    for (const [number, open] of this.#open) if (open.id === id) this.#settle(number, open, 'deny');
  }

  /** A line from outside. One that is no answer, or answers nothing that is open, is left alone. */
  answer(line: string): void {
    const given = givenAnswer(line);
    const open = given === null ? undefined : this.#open.get(given.number);
    if (given === null || open === undefined) return;
    if (given.mark !== null && given.mark !== markOf(open.request)) {
      const message = `an answer to request ${given.number} was for something else, and is not taken`;
      this.#parts.emit({ type: 'problem', message });
      return;
    }
    const once = isPermitted(given.answer) ? 'allow' : 'deny';
    const answer = open.request.options.includes(given.answer) ? given.answer : once;
    if (answer === 'always') this.#always.add(markOf(open.request));
    this.#settle(given.number, open, answer);
  }

  /** No answer can come any more. */
  giveUp(): void {
    for (const [number, open] of this.#open) this.#settle(number, open, 'deny');
  }

  #ask(id: string, input: Json, asked: Pick<PermissionRequest, 'tool' | 'target' | 'input'>): void {
    this.#asked += 1;
    const number = this.#asked;
    const request: PermissionRequest = { number, ...asked, options: ['allow', 'deny', 'always'] };
    this.#open.set(number, { id, request, input });
    const why = permissionText({ tool: asked.tool, target: oneLine(asked.target) });
    this.#parts.emit({ type: 'waiting', why, request });
  }

  #settle(number: number, { id, input }: Open, answer: PermissionAnswer): void {
    this.#open.delete(number);
    this.#parts.emit({ type: 'answered', request: number, answer });
    this.#reply(id, input, answer, 'a person denied it');
  }

  #reply(id: string, input: Json, answer: PermissionAnswer, why = ''): void {
    const response = isPermitted(answer)
      ? { behavior: 'allow', updatedInput: input }
      : { behavior: 'deny', message: `Not permitted: ${why}. Do not try it in another way.` };
    this.#parts.reply(control({ subtype: 'success', request_id: id, response }));
  }

  #isReport(tool: string, input: Json): boolean {
    const { resultFile } = this.#parts;
    return resultFile !== '' && writers.includes(tool) && textMember(input, 'file_path') === resultFile;
  }
}

function control(response: JsonObject): JsonObject {
  return { type: 'control_response', response };
}

function describeUse(tool: string, input: Json): Pick<PermissionRequest, 'tool' | 'target' | 'input'> {
  const target = targets.map((name) => textMember(input, name)).find((text) => text !== '') ?? '';
  const whole = JSON.stringify(input);
  return { tool, target: oneLine(target || whole, longestTarget), input: oneLine(whole, longestTarget) };
}
