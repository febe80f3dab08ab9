const gram = 4;
const bits = 18;

interface Place {
  readonly text: string;
  readonly at: number;
}

/**
 * Tells whether a text holds one of many, without looking at every letter: of each four neighbouring letters at its
 * beginning it is known where in it they stand, so looking at some places is enough.
 */
export class Finder {
  readonly #stride: number;
  readonly #seen = new Uint8Array(1 << bits);
  readonly #places = new Map<string, Place[]>();

  /** None may be shorter than `shortest`. */
  constructor(texts: Iterable<string>, shortest: number) {
    this.#stride = shortest - gram + 1;
    for (const text of texts) {
      for (let at = 0; at < this.#stride; at += 1) {
        const letters = text.slice(at, at + gram);
        this.#seen[hashAt(letters, 0)] = 1;
        const places = this.#places.get(letters);
        if (places === undefined) this.#places.set(letters, [{ text, at }]);
        else places.push({ text, at });
      }
    }
  }

  isIn(text: string): boolean {
    const last = text.length - gram;
    for (let at = 0; at <= last; at += this.#stride) {
      if (this.#seen[hashAt(text, at)] === 1 && this.#isAround(text, at)) return true;
    }
    return false;
  }

  #isAround(text: string, at: number): boolean {
    const places = this.#places.get(text.slice(at, at + gram));
    return places?.some((place) => text.startsWith(place.text, at - place.at)) ?? false;
  }
}

function hashAt(text: string, at: number): number {
  const letters =
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 8) |
    (text.charCodeAt(at + 2) << 16) |
    (text.charCodeAt(at + 3) << 24);
  return Math.imul(letters, 0x9e_37_79_b1) >>> (32 - bits);
}
