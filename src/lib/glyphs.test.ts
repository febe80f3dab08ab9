import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { glyphs } from './glyphs.ts';

const sources = fileURLToPath(new URL('..', import.meta.url));

/** Glyphs in code; a comment may show one. The dot of a note separates words too. */
function glyphsIn(code: string): readonly string[] {
  const { note: _, ...rest } = glyphs;
  const text = code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return Object.values(rest).filter((glyph) => text.includes(glyph));
}

test('the glyphs of lines stand in glyphs.ts alone', () => {
  // Lines that name the mark of a failure in the output of other programs.
  const allowed = ['lib/glyphs.ts', 'lib/telling-lines.ts'];
  const found = globSync('**/*.ts', { cwd: sources })
    .filter((path) => !path.endsWith('.test.ts') && !allowed.includes(path))
    .filter((path) => glyphsIn(readFileSync(`${sources}/${path}`, 'utf8')).length > 0);
  expect(found).toEqual([]);
});

test('a glyph in code is found, and one in a comment is left alone', () => {
  expect(glyphsIn("print('✔ done');")).toEqual(['✔']);
  expect(glyphsIn('/** `● build`: a step. */\n// ◐ waits\n')).toEqual([]);
});

test('no two meanings share a glyph', () => {
  expect(new Set(Object.values(glyphs)).size).toBe(Object.keys(glyphs).length);
});
