import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { homonyms, unplain } from './plain-english.ts';
import { repository } from './rig/repository.ts';

const sources = globSync('src/**/*.ts', { cwd: repository('.') })
  .filter((path) => !path.endsWith('.test.ts'))
  .toSorted();

test('help, messages and log lines are written in plain English, with driver and host in one sense', () => {
  const found = sources.flatMap((path) =>
    wordsIn(readFileSync(repository(path), 'utf8')).map((word) => `${path}: ${word}`),
  );
  expect(found).toEqual([]);
});

test('control: planted sentences are found, in plain and in template strings, and code is not', () => {
  const code = `
    // nobody reads a comment
    const driven = 'driven';
    fail('it is told that nobody drives it');
    print(\`run \${id} goes on when \${who} is there\`);
  `;
  expect(wordsIn(code)).toEqual(['is told', 'nobody', 'drives', 'goes on']);
});

test('control: the messages of this program are found', () => {
  const messages = sentencesIn(readFileSync(repository('src/cli/commands/answer.ts'), 'utf8'));
  expect(messages.some((message) => message.includes('The first answer wins'))).toBe(true);
});

function wordsIn(code: string): readonly string[] {
  return sentencesIn(code).flatMap((text) =>
    [...text.matchAll(unplain), ...text.matchAll(homonyms)].map(([word]) => word.toLowerCase()),
  );
}

/** Strings of at least three words, with a dash for each value that is put into them. */
function sentencesIn(code: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    if ('type' in node && node.type === 'Literal' && 'value' in node) found.push(String(node.value));
    if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node)
      found.push(joined(node.quasis));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(code, { lang: 'ts' }));
  return found.filter((text) => /\w+\s+\w+\s+\w+/.test(text));
}

function joined(quasis: unknown): string {
  return (quasis as readonly { readonly value: { readonly cooked: string } }[])
    .map(({ value }) => value.cooked)
    .join('-');
}
