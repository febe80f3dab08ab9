import { isObject, type Json, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { type AcpSpec, type ToolKind, toolKinds } from '../../model/acp.ts';
import type { DriverEvent } from '../../model/driver.ts';

type Answer = 'allow' | 'deny';

/** What a tool wants to do, as far as the agent tells. */
export interface Wanted {
  readonly kind: ToolKind;
  readonly title: string;
  readonly paths: readonly string[];
}

const answerLine = /^(allow|deny) (\d{1,6})$/;

/** Decides what an agent may do: by the rules, or by the answer of a person to a numbered question. */
export class Permissions {
  readonly #spec: Pick<AcpSpec, 'rules' | 'resultFile'>;
  readonly #emit: (event: DriverEvent) => void;
  readonly #open = new Map<number, (answer: Answer) => void>();
  /** Files for which a person has said yes: the write that follows is not asked again. */
  readonly #granted = new Set<string>();
  #asked = 0;

  constructor(spec: Pick<AcpSpec, 'rules' | 'resultFile'>, emit: (event: DriverEvent) => void) {
    this.#spec = spec;
    this.#emit = emit;
  }

  /** Whether a person is being asked now. */
  get waits(): boolean {
    return this.#open.size > 0;
  }

  async decide({ kind, title, paths }: Wanted): Promise<Answer> {
    const rule = this.#spec.rules[kind];
    const reports = kind === 'edit' && paths.length > 0 && paths.every((path) => this.#isResult(path));
    if (rule === 'allow' || reports) return 'allow';
    const known = paths.length > 0 && paths.every((path) => this.#granted.has(path));
    if (rule === 'ask' && known) return 'allow';
    const answer = rule === 'deny' ? 'deny' : await this.#ask(`${kind}: ${title}`);
    if (answer === 'allow') for (const path of paths) this.#granted.add(path);
    else {
      const reason = rule === 'deny' ? `the rules of the driver deny ${kind}` : 'a person denied it';
      this.#emit({ type: 'denied', tool: kind, reason: oneLine(`${title}: ${reason}`, 500) });
    }
    return answer;
  }

  /** True: the line was an answer and is no message for the agent. */
  answer(line: string): boolean {
    const [, word, number] = answerLine.exec(line.trim()) ?? [];
    const open = this.#open.get(Number(number));
    if (open === undefined || (word !== 'allow' && word !== 'deny')) return false;
    this.#open.delete(Number(number));
    open(word);
    return true;
  }

  /** Nobody can answer any more. */
  denyAll(): void {
    for (const open of this.#open.values()) open('deny');
    this.#open.clear();
  }

  #ask(what: string): Promise<Answer> {
    this.#asked += 1;
    const number = this.#asked;
    const why = `permission to ${oneLine(what)}; answer "allow ${number}" or "deny ${number}"`;
    return new Promise((resolve) => {
      this.#open.set(number, resolve);
      this.#emit({ type: 'waiting', why });
    });
  }

  #isResult(path: string): boolean {
    return path === this.#spec.resultFile;
  }
}

/** The option that says exactly this once. Without one, the request is answered as cancelled: nothing is allowed by guess. */
export function outcomeFor(answer: Answer, options: Json | undefined): Json {
  const wanted = answer === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const known = Array.isArray(options) ? options.filter((option: Json) => isObject(option)) : [];
  for (const kind of wanted) {
    const found = known.find((option) => textMember(option, 'kind') === kind);
    if (found !== undefined) {
      return { outcome: { outcome: 'selected', optionId: textMember(found, 'optionId') } };
    }
  }
  return { outcome: { outcome: 'cancelled' } };
}

export function wantedOf(tool: JsonObject): Wanted {
  const kind = toolKinds.find((known) => known === tool['kind']) ?? 'other';
  return { kind, title: textMember(tool, 'title') || kind, paths: pathsOf(tool) };
}

/** Where it works: said as locations, or as changes to be shown. */
function pathsOf({ locations, content }: JsonObject): readonly string[] {
  const places = [locations, content].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...new Set(places.map((place: Json) => textMember(place, 'path')).filter((path) => path !== ''))];
}
