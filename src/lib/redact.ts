import { recorded } from './json.ts';
import { Finder } from './redact-finder.ts';
import { formsOf, shortestSecret } from './redact-forms.ts';
import { type SecretPattern, wellKnownSecrets } from './redact-patterns.ts';

/** Something that must not be told, and the name under which it is spoken of. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

const longestName = 60;

/**
 * Takes secrets out of text: known values in all their forms, and what has the shape of a key. What is left in their place
 * is `[redacted:NAME]`. JSON text stays JSON text, so that a whole record can be given as it is written.
 */
export class Redactor {
  readonly #names = new Map<string, string>();
  readonly #finder: Finder;
  /** Made when the first value is met, which in most processes is never. */
  #values: RegExp | null = null;
  readonly #patterns: readonly { readonly name: string; readonly shape: RegExp }[];
  /** Most texts are seen to hold none without a second look. */
  readonly #anyShape: RegExp;

  constructor(secrets: Iterable<Secret>, patterns: readonly SecretPattern[] = wellKnownSecrets) {
    for (const { name, value } of secrets) {
      if (value.length < shortestSecret) continue;
      for (const form of formsOf(value)) if (!this.#names.has(form)) this.#names.set(form, shown(name));
    }
    this.#finder = new Finder(this.#names.keys(), shortestSecret);
    this.#patterns = patterns.map(({ name, source }) => ({ name, shape: new RegExp(source, 'g') }));
    this.#anyShape = new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|') || '(?!)');
  }

  /** The same text where it holds none. */
  text(text: string): string {
    let clean = this.#finder.isIn(text) ? this.#withoutValues(text) : text;
    if (!this.#anyShape.test(clean)) return clean;
    for (const { name, shape } of this.#patterns) {
      const before = clean;
      clean = before.replace(shape, (found: string, kept: string, at: number) => {
        return `${kept}${inPlaceOf(found.slice(kept.length), name, before, at + kept.length)}`;
      });
    }
    return clean;
  }

  /** The same for all texts of a value that could be written as JSON. */
  json<T>(value: T): T {
    const text = JSON.stringify(value);
    if (text === undefined) return value;
    const clean = this.text(text);
    return clean === text ? value : recorded<T>(JSON.parse(clean));
  }

  /** The longest first: one secret may be the beginning of another. */
  #anyValue(): RegExp {
    const forms = [...this.#names.keys()].toSorted((a, b) => b.length - a.length);
    const names = new Set([...this.#names.values(), ...this.#patterns.map(({ name }) => name)]);
    const redacted = [...names].map((name) => `[redacted:${name}]`);
    return new RegExp([...redacted, ...forms].map(escaped).join('|'), 'g');
  }

  #withoutValues(text: string): string {
    this.#values ??= this.#anyValue();
    return text.replace(this.#values, (found, at: number) => {
      const name = this.#names.get(found);
      // What was redacted before stays as it is.
      return name === undefined ? found : inPlaceOf(found, name, text, at);
    });
  }
}

function shown(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, longestName);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** An escape of JSON that the found text cuts in two is kept whole, or the text around it would not be JSON any more. */
function inPlaceOf(found: string, name: string, text: string, at: number): string {
  const kept = found.slice(0, escapeLeft(text, at));
  const tail = /\\+$/.exec(found)?.[0].length ?? 0;
  return `${kept}[redacted:${name}]${tail % 2 === 1 ? '\\' : ''}`;
}

/** A backslash that no other one escapes, and what follows it of a code. */
const begunEscape = /(?<!\\)(?:\\\\)*\\(u[0-9a-fA-F]{0,3})?$/;

/** How many characters from here on belong to an escape that began before. */
function escapeLeft(text: string, at: number): number {
  const begun = begunEscape.exec(text.slice(Math.max(0, at - 64), at));
  if (begun === null) return 0;
  const [, code] = begun;
  if (code !== undefined) return 5 - code.length;
  return text[at] === 'u' ? 5 : 1;
}
