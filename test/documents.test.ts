import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { homonyms, unplain } from './plain-english.ts';
import { repository } from './rig/repository.ts';

const root = repository('.');
const named = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const documents = [
  ...named.filter((path) => existsSync(join(root, path))),
  ...globSync('docs/**/*.md', { cwd: root }).toSorted(),
];
const glossary = 'docs/glossary.md';

/** The changelog and the decision records tell what was, in the words of their time. */
const isHistory = (path: string): boolean => path === 'CHANGELOG.md' || path.startsWith('docs/adr/');
const current = documents.filter((path) => !isHistory(path));

/** Words of earlier releases, which the glossary bans and history keeps. */
const formerWords: ReadonlySet<string> = new Set(['driven', 'hosted', 'driving process', 'session host']);

/** Words that the glossary bans in one meaning and that these documents need in another. */
const otherMeanings: ReadonlyMap<string, string> = new Map([
  ['workspace', 'the directory a step works in has this name'],
  ['activity', 'what a session does right now has this name'],
  ['execution', 'execution-report.md and "execution report" are the name of a file'],
  ['thread', 'the steel thread of a plan has this name'],
  ['script', 'package.json, shells and the launcher have scripts'],
  ['node', 'Node is what Tutti runs on, and a cluster has nodes'],
  ['retry', 'the policy has this name, in flow files too'],
  ['call', 'tool calls, and functions that are called'],
  ['server', 'a layer has this name, and databases have one'],
  ['model', 'a layer has this name, and vendors sell models'],
  ['item', 'Markdown and JSON have them'],
  ['check', 'gates run checks, and so does the build'],
  ['comment', 'code has comments'],
  ['prompt', 'what an agent is asked to do'],
  ['ask', 'people and agents ask questions'],
  ['provider', 'companies and clouds that serve a model have this name in the settings of CLIs'],
  ['status', 'a command, a member of result.json, and the live state of a session'],
]);

test.for(named)('%s is there', (path, { skip }) => {
  if (!existsSync(join(root, path))) skip('it is not in the tree yet');
  expect(documents).toContain(path);
});

test.each(documents)('%s: every link leads to a file and a heading that exist', (path) => {
  expect(brokenLinks(path, read(path))).toEqual([]);
});

test.each(documents)('%s: no mark of a merge is left', (path) => {
  expect(mergeMarks(read(path))).toEqual([]);
});

test('a mark of a merge is found', () => {
  expect(mergeMarks('one\n<<<<<<< HEAD\ntwo\n=======\n>>>>>>> 6b15543\n')).toHaveLength(3);
});

test.each(documents)('%s: every path of this repository that is named exists', (path) => {
  expect(missingPaths(read(path))).toEqual([]);
});

test.each(documents.filter((path) => path !== glossary))(
  '%s: says it in the words of the glossary',
  (path) => {
    expect(bannedIn(read(path), isHistory(path) ? formerWords : undefined)).toEqual([]);
  },
);

test.each(current)('%s: is written in plain English', (path) => {
  expect(phrasesIn(unplain, read(path))).toEqual([]);
});

test.each(current.filter((path) => path !== glossary))('%s: uses driver and host in one sense', (path) => {
  expect(phrasesIn(homonyms, read(path))).toEqual([]);
});

test('the glossary gives a sense, a location and substitutes for each word with one meaning', () => {
  const [, section = ''] = read(glossary).split('\n## Words with one meaning\n');
  const rows = [...section.matchAll(/^\| \*\*(.+?)\*\* \| [^|]+ \| [^|]+ \| [^|]+ \|$/gm)];
  expect(rows.map(([, word]) => word)).toEqual(['driver', 'host', 'task', 'place', 'view']);
});

test('every exception for a word is one for a word that the glossary bans', () => {
  const banned = bannedWords();
  expect(banned.length).toBeGreaterThan(20);
  expect([...otherMeanings.keys()].filter((word) => !banned.includes(word))).toEqual([]);
});

describe('control: what is planted is caught', () => {
  test.each([
    ['a file that is not there', '[x](docs/nowhere.md)', ['docs/nowhere.md']],
    ['a heading that is not there', '[x](docs/glossary.md#nowhere)', ['docs/glossary.md#nowhere']],
    ['a heading of the page itself', '# Here\n\n[x](#there)', ['#there']],
    ['a reference', '[x][y]\n\n[y]: nowhere.md', ['nowhere.md']],
    ['a link out of the repository', '[x](../elsewhere.md)', ['../elsewhere.md']],
  ])('%s', (_what, text, broken) => {
    expect(brokenLinks('README.md', text)).toEqual(broken);
  });

  test('a good link, a link elsewhere and a link inside code are let pass', () => {
    const text =
      '# A `b`, c!\n\n[x](docs/glossary.md#outcomes) [y](https://example.org) [z](#a-b-c)\n```\n[x](nowhere.md)\n```\n';
    expect(brokenLinks('README.md', text)).toEqual([]);
  });

  test('a path that does not exist', () => {
    const text = 'See `src/nowhere.ts`, `test/rig`, `src/workflows/<family>/` and `test/documents.test.ts`.';
    expect(missingPaths(text)).toEqual(['src/nowhere.ts']);
  });

  test('a banned word, in any number and case, but not in code', () => {
    expect(bannedIn('Two Daemons run a job.\n`job`\n```\njob\n```\n')).toEqual(['daemons', 'job']);
  });

  test('a former word, except in history', () => {
    const text = 'A hosted plan of a session host.';
    expect(bannedIn(text)).toEqual(['hosted', 'session host']);
    expect(bannedIn(text, formerWords)).toEqual([]);
  });

  test('a phrase that is not plain English, across a line break and in any case', () => {
    const text =
      'Nobody mends it anew. Whoever is\ntold goes on all the same, so named by somebody; `anybody` may go on.';
    expect(phrasesIn(unplain, text)).toEqual([
      'nobody',
      'mends',
      'anew',
      'whoever',
      'is told',
      'goes on',
      'all the same',
      'so named',
      'somebody',
      'go on',
    ]);
    expect(phrasesIn(unplain, 'A recommended amendment depends on the body of the email.')).toEqual([]);
  });

  test('driver and host in another sense', () => {
    const text =
      'It drives a run, a driven or hosted one. A host task of the session host; `driven_by`; --host tmux.';
    expect(phrasesIn(homonyms, text)).toEqual([
      'drives',
      'driven',
      'hosted',
      'host task',
      'session host',
      '--host tmux',
    ]);
    expect(phrasesIn(homonyms, 'Each driver runs on one host; two hosts share no driver.')).toEqual([]);
  });
});

function brokenLinks(path: string, text: string): readonly string[] {
  return linksOf(text).filter((link) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return false;
    const [file = '', heading] = decodeURIComponent(link).split('#');
    if (file === '') return !headingsOf(text).has(heading ?? '');
    const target = resolve(root, dirname(path), file);
    if (relative(root, target).startsWith('..') || !existsSync(target)) return true;
    if (heading === undefined) return false;
    return !statSync(target).isFile() || !headingsOf(readFileSync(target, 'utf8')).has(heading);
  });
}

function linksOf(text: string): readonly string[] {
  const prose = withoutCode(text);
  const inline = prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const defined = prose.matchAll(/^ {0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)/gm);
  return [...inline, ...defined].map(([, link]) => link ?? '');
}

/** As the web shows them: lower case, no punctuation, blanks become hyphens, a second one gets a number. */
function headingsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, title = ''] of withoutBlocks(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return anchors;
}

/** Paths between backticks; those with a placeholder or a pattern are not paths. */
function missingPaths(text: string): readonly string[] {
  const paths = [
    ...withoutBlocks(text).matchAll(/`((?:src|test|docs|bin|scripts|schemas|examples)\/[^`\s]*)`/g),
  ];
  return paths
    .map(([, path]) => path ?? '')
    .filter((path) => !/[<>*{}…]/.test(path) && !existsSync(join(root, path)));
}

function phrasesIn(pattern: RegExp, text: string): readonly string[] {
  return [...proseOf(text).replaceAll(/\s+/g, ' ').matchAll(pattern)].map(([found]) => found.toLowerCase());
}

function bannedIn(text: string, allowed: ReadonlySet<string> = new Set()): readonly string[] {
  const words = bannedWords().filter((word) => !otherMeanings.has(word) && !allowed.has(word));
  const pattern = new RegExp(String.raw`\b(?:${words.map(plural).join('|')})\b`, 'gi');
  return [...proseOf(text).matchAll(pattern)].map(([found]) => found.toLowerCase());
}

/** Third column of the glossary's first table; what stands in parentheses explains. */
function bannedWords(): readonly string[] {
  const [first = ''] = read(glossary).split('\n## ');
  const rows = [...first.matchAll(/^\| \*\*.+?\*\* \|.*\| ([^|]+) \|$/gm)];
  const words = rows.flatMap(([, cell = '']) => cell.replaceAll(/\([^)]*\)/g, '').split(','));
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

function plural(word: string): string {
  return word.endsWith('y') ? `${word.slice(0, -1)}(?:y|ies)` : `${word}s?`;
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[`~]*\s*$/gm, '');
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replaceAll(/(`+)[\s\S]*?\1/g, '');
}

/** What a reader sees as words: no code, and no address of a link. */
function proseOf(text: string): string {
  return withoutCode(text).replaceAll(/\]\([^)]*\)/g, ']');
}

function mergeMarks(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^(?:<{7} |={7}$|>{7} )/.test(line));
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
