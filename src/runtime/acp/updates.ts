import { amount } from '../../lib/amount.ts';
import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { type Wanted, wantedOf } from './permissions.ts';

/** A text without a line break is told in pieces of this size. */
const longestPiece = 64 * 1024;
const changing: readonly string[] = ['edit', 'delete', 'move'];

interface Tool {
  readonly wanted: Wanted;
  readonly told: boolean;
  readonly over: boolean;
}

/** Makes of what an agent tells about its work the events of Tutti: text by the line, a tool once. */
export class Updates {
  readonly #emit: (event: DriverEvent) => void;
  readonly #tools = new Map<string, Tool>();
  /** Ids of tools whose denial was told: that they failed is no news. */
  readonly #denied = new Set<string>();
  #text = '';
  #costUsd: number | null = null;
  #costBefore = 0;
  /** While an earlier conversation is told again, nothing of it counts. */
  replaying = false;
  /** Whether the agent has said or done anything. */
  active = false;

  constructor(emit: (event: DriverEvent) => void) {
    this.#emit = emit;
  }

  /** Whether a tool is at work: it may take long without a word. */
  get working(): boolean {
    return [...this.#tools.values()].some(({ told, over }) => told && !over);
  }

  /** Null where the agent does not tell. */
  get costUsd(): number | null {
    const costUsd = this.#costUsd === null ? 0 : this.#costUsd - this.#costBefore;
    // Those who do not know a price say 0.
    return costUsd > 0 ? costUsd : null;
  }

  take(update: JsonObject): void {
    const kind = textMember(update, 'sessionUpdate');
    if (kind === 'usage_update') this.#cost(update['cost']);
    if (this.replaying) return;
    if (kind === 'agent_message_chunk') this.#say(textMember(update['content'], 'text'));
    else if (kind === 'tool_call' || kind === 'tool_call_update') this.#tool(update);
    else if (kind === 'notice' && update['severity'] === 'error') {
      const message = `${textMember(update, 'title')} ${textMember(update, 'description')}`;
      this.#emit({ type: 'problem', message: oneLine(message, 1000) });
    }
  }

  /** What is known of a tool that asks for permission; the question itself may tell more. */
  asked(call: JsonObject): Wanted {
    const wanted = this.#merged(call);
    this.#remember(textMember(call, 'toolCallId'), wanted, { told: true });
    return wanted;
  }

  denied(call: JsonObject): void {
    this.#denied.add(textMember(call, 'toolCallId'));
  }

  /** Tells the rest of the text. */
  flush(): void {
    if (this.#text !== '') this.#emit({ type: 'text', text: this.#text });
    this.#text = '';
  }

  /** A turn that is over leaves no tool at work, whatever was told about it. */
  endTurn(): void {
    this.flush();
    this.#tools.clear();
  }

  #say(text: string): void {
    if (text !== '') this.active = true;
    this.#text += text;
    const at = this.#text.lastIndexOf('\n');
    if (at > 0) {
      this.#emit({ type: 'text', text: this.#text.slice(0, at) });
      this.#text = this.#text.slice(at + 1);
    }
    if (this.#text.length > longestPiece) this.flush();
  }

  #tool(update: JsonObject): void {
    const id = textMember(update, 'toolCallId');
    const wanted = this.#merged(update);
    const status = textMember(update, 'status');
    const over = status === 'completed' || status === 'failed';
    // While it is pending, the agent may not yet know what it will be used on.
    this.#remember(id, wanted, { told: over || status === 'in_progress', over });
    if (status === 'failed' && !this.#denied.has(id))
      this.#emit({ type: 'tool-failed', ...toolOf(wanted), reason: '' });
    if (status === 'completed' && changing.includes(wanted.kind) && wanted.paths.length > 0) {
      this.#emit({ type: 'files', paths: wanted.paths });
    }
  }

  #remember(id: string, wanted: Wanted, { told, over = false }: { told: boolean; over?: boolean }): void {
    const before = this.#tools.get(id);
    if (told && before?.told !== true) {
      this.flush();
      this.active = true;
      this.#emit({ type: 'tool', ...toolOf(wanted) });
    }
    this.#tools.set(id, { wanted, told: told || before?.told === true, over });
  }

  /** An update says only what is new. */
  #merged(update: JsonObject): Wanted {
    const before = this.#tools.get(textMember(update, 'toolCallId'))?.wanted;
    const now = wantedOf(update);
    if (before === undefined) return now;
    return {
      kind: typeof update['kind'] === 'string' ? now.kind : before.kind,
      title: textMember(update, 'title') || before.title,
      paths: now.paths.length > 0 ? now.paths : before.paths,
      input: now.input || before.input,
    };
  }

  #cost(cost: Json | undefined): void {
    const dollars = isObject(cost) && cost['currency'] === 'USD' ? amount(cost['amount']) : null;
    if (dollars === null) return;
    this.#costUsd = dollars;
    if (this.replaying) this.#costBefore = dollars;
  }
}

/** Where a command runs tells less than what it is. */
function toolOf({ kind, title, paths }: Wanted): { readonly name: string; readonly target: string } {
  return { name: kind, target: oneLine(kind === 'execute' ? title : (paths[0] ?? title)) };
}
