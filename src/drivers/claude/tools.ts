import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { isPermitted } from '../../model/permission.ts';

const hookBlock = /^(?:<tool_use_error>)?\s*(?:Error: )?(PreToolUse:\S+) hook error:? ?([\s\S]*)/;
const notOffered = /^<tool_use_error>Error: No such tool available: ([A-Za-z_]\w{0,99})/;
/** How the CLI words a denial to the model. */
const denialWords = /^(?:Permission to use |Claude requested permissions |The user doesn't want )/;
/** The tool by which the model hands over what `--json-schema` asks for. It is there only then, and using it is no work. */
export const structuredTool = 'StructuredOutput';
/** Tools that write, and the member that says what. */
const writers: Readonly<Record<string, string>> = {
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
};

type ToolEvent = Extract<DriverEvent, { type: 'tool' }>;

/** What happened to the tools of one turn: asked for, refused, blocked, or done. */
export class ToolWatch {
  /** Files that are about to be written, by the id of the tool's use. */
  readonly #writing = new Map<string, string>();
  readonly #denied = new Set<string>();
  /** What uses that were told were for, by their id. */
  readonly #told = new Map<string, string>();
  /** Tools that a person was asked about, by the number of the request, until the answer is told. */
  readonly #asked = new Map<number, string>();
  /** Tools that a person denied, until the CLI tells the denial. */
  #deniedByPerson: readonly string[] = [];
  /** Tools whose result was not told yet, by the id of the tool's use. */
  readonly #open = new Map<string, Pick<ToolEvent, 'name' | 'target'>>();
  /** Results that the model hands over, until the CLI accepts or refuses them, by the id of the tool's use. */
  readonly #handing = new Set<string>();
  #refusedResult: string | null = null;

  get inFlight(): readonly string[] {
    return [...this.#open.values()].map(({ name, target }) => `${name} ${target}`.trim());
  }

  /** Why the CLI refused the last result that the model handed over; null: it refused none. */
  get refusedResult(): string | null {
    return this.#refusedResult;
  }

  used(block: JsonObject): readonly DriverEvent[] {
    const [name, input] = [textMember(block, 'name'), block['input']];
    if (name === structuredTool) {
      this.#handing.add(textMember(block, 'id'));
      return [];
    }
    const file = Object.hasOwn(writers, name) ? textMember(input, writers[name] ?? '') : '';
    if (file !== '') this.#writing.set(textMember(block, 'id'), file);
    const target = targetOf(input);
    this.#told.set(textMember(block, 'id'), target);
    this.#open.set(textMember(block, 'id'), { name, target });
    return [{ type: 'tool', name, target }];
  }

  /** Only now is it sure that something was written. */
  answered(block: JsonObject): readonly DriverEvent[] {
    if (block['type'] !== 'tool_result') return [];
    const id = textMember(block, 'tool_use_id');
    if (this.#handing.delete(id)) {
      const reason = block['is_error'] === true ? firstLine(textOfResult(block['content'])) : null;
      this.#refusedResult = reason;
      return reason === null ? [] : [{ type: 'tool-failed', name: structuredTool, target: '', reason }];
    }
    const used = this.#open.get(id);
    this.#open.delete(id);
    const file = this.#writing.get(id);
    this.#writing.delete(id);
    if (block['is_error'] === true) return this.#failed(id, used, textOfResult(block['content']));
    return file === undefined ? [] : [{ type: 'files', paths: [file] }];
  }

  /** A denial is told by the CLI besides, before this or at the end. */
  #failed(
    id: string,
    used: Pick<ToolEvent, 'name' | 'target'> | undefined,
    text: string,
  ): readonly DriverEvent[] {
    const events = refused(text);
    if (events.length > 0 || used === undefined || this.#denied.has(id) || denialWords.test(text))
      return events;
    return [{ type: 'tool-failed', ...used, reason: firstLine(text) }];
  }

  /** What was asked of a person, and the answer. */
  noteAnswer(event: DriverEvent): void {
    if (event.type === 'waiting' && event.request !== undefined)
      this.#asked.set(event.request.number, event.request.tool);
    if (event.type !== 'answered') return;
    const tool = this.#asked.get(event.request);
    if (tool !== undefined && !isPermitted(event.answer))
      this.#deniedByPerson = [...this.#deniedByPerson, tool];
  }

  /** Newer versions tell it when it happens, all of them at the end: once is enough. */
  denied(denial: Json): readonly DriverEvent[] {
    if (!isObject(denial)) return [];
    const [id, tool] = [textMember(denial, 'tool_use_id'), textMember(denial, 'tool_name')];
    if (tool === '' || (id !== '' && this.#denied.has(id))) return [];
    this.#denied.add(id);
    // Only the first sentence is about what happened; the rest tells the model how to behave.
    const [reason = ''] = textMember(denial, 'message').split(/(?<=\.)\s/, 1);
    const told = this.#told.get(id);
    const target = told ?? targetOf(denial['tool_input']);
    return [
      {
        type: 'denied',
        tool,
        ...(target === '' ? {} : { target }),
        reason: oneLine(reason, 1000) || this.#whyDenied(tool),
        ...(told === undefined ? {} : { call: true as const }),
      },
    ];
  }

  /** Empty: the CLI does not tell. */
  #whyDenied(tool: string): string {
    const index = this.#deniedByPerson.indexOf(tool);
    if (index < 0) return '';
    this.#deniedByPerson = this.#deniedByPerson.toSpliced(index, 1);
    return 'a person denied it';
  }
}

/** The member that tells a person what the tool is used on. */
function targetOf(input: Json | undefined): string {
  const names = ['file_path', 'notebook_path', 'path', 'command', 'pattern', 'url', 'query', 'description'];
  return oneLine(names.map((name) => textMember(input, name)).find((text) => text !== '') ?? '');
}

function textOfResult(content: Json | undefined): string {
  const first = Array.isArray(content) ? content.find(isObject) : null;
  return typeof content === 'string' ? content : textMember(first ?? null, 'text');
}

function firstLine(text: string): string {
  const [line = ''] = text
    .replaceAll(/<\/?tool_use_error>/g, '')
    .trim()
    .split('\n', 1);
  return oneLine(line, 300);
}

/** A tool that a hook blocked, or that the model asked for although it was not offered. */
function refused(text: string): readonly DriverEvent[] {
  const [, hook, why = ''] = hookBlock.exec(text) ?? [];
  const [, absent] = notOffered.exec(text) ?? [];
  if (absent !== undefined)
    return [
      { type: 'denied', tool: absent, reason: `${absent} is not among the tools of this turn`, call: true },
    ];
  if (hook === undefined) return [];
  return [{ type: 'blocked', tool: hook.replace('PreToolUse:', ''), reason: oneLine(why, 1000) }];
}
