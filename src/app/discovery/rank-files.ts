/** A source file as discovery read it. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface RankedFile {
  readonly path: string;
  /** How much the specification has to do with it; zero: nothing that shows. */
  readonly score: number;
  /** The file from where it matters: from the first symbol that the specification names, else from the top. */
  readonly excerpt: string;
}

const weights = { path: 1_000, name: 400, defines: 60, mentions: 15, word: 10 } as const;

const testPath =
  /(?:^|\/)(?:tests?|spec|__tests__)\/|[._-](?:test|spec)\.|_test\.|(?:^|\/)test(?:_[^/]*)?\.\w+$/;

export function isTestPath(path: string): boolean {
  return testPath.test(path);
}

/**
 * Files by what the specification says about them: paths and file names that it contains, symbols that it names, words
 * that it shares with a path. A word that is in many paths says little. The same input gives the same order.
 */
export function rankFiles(spec: string, files: readonly SourceFile[]): readonly RankedFile[] {
  const words = new Set(wordsIn(spec));
  const symbols = symbolsIn(spec);
  const spread = new Map<string, number>();
  for (const { path } of files)
    for (const word of new Set(wordsIn(path))) spread.set(word, (spread.get(word) ?? 0) + 1);
  const ranked = files.map(({ path, text }): RankedFile => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const named = contains(spec, path) ? weights.path : contains(spec, name) ? weights.name : 0;
    const { score, at } = symbolScore(symbols, text);
    const shared = [...new Set(wordsIn(path))].filter((word) => words.has(word));
    const rarity = shared.reduce(
      (sum, word) => sum + weights.word / (1 + Math.log2(spread.get(word) ?? 1)),
      0,
    );
    return { path, score: named + score + rarity, excerpt: text.slice(at) };
  });
  return ranked.toSorted(
    (a, b) => b.score - a.score || depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1),
  );
}

function symbolScore(
  symbols: readonly string[],
  text: string,
): { readonly score: number; readonly at: number } {
  let score = 0;
  let at = 0;
  for (const symbol of symbols) {
    if (!contains(text, symbol)) continue;
    const definition = new RegExp(
      `^.*\\b(?:function|class|const|let|def|fn|func|interface|type|struct|enum|trait)\\s+${escaped(symbol)}\\b`,
      'm',
    ).exec(text);
    score += definition === null ? weights.mentions : weights.defines;
    if (definition !== null && at === 0) at = definition.index;
  }
  return { score, at };
}

const mostSymbols = 60;

/** Names as code writes them: in backticks, called, or of several words without a blank. */
function symbolsIn(spec: string): readonly string[] {
  const found = [
    ...spec.matchAll(/`([A-Za-z_]\w{2,})(?:\(\))?`/g),
    ...spec.matchAll(/\b([A-Za-z_]\w{2,})\(/g),
    ...spec.matchAll(/\b([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[a-z]+_[a-z_]+)\b/g),
  ].flatMap(([, symbol]) => (symbol === undefined ? [] : [symbol]));
  return [...new Set(found)].slice(0, mostSymbols);
}

const everywhere = new Set([
  'src',
  'lib',
  'app',
  'the',
  'and',
  'for',
  'test',
  'tests',
  'index',
  'main',
  'with',
]);

/** Words of a text or a path, with those of camelCase apart. */
function wordsIn(text: string): readonly string[] {
  return (text.match(/[A-Z]?[a-z]{2,}|[A-Z]{3,}|\d{3,}/g) ?? [])
    .map((word) => word.toLowerCase().replace(/s$/, ''))
    .filter((word) => word.length > 2 && !everywhere.has(word));
}

/** As a whole: `a.js` is not in `data.js`. */
function contains(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + part.length]];
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

function escaped(symbol: string): string {
  return symbol.replaceAll(/[^\w]/g, '\\$&');
}

function depthOf(path: string): number {
  return path.split('/').length;
}
