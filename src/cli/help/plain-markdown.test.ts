import { expect, test } from 'vitest';
import { painter } from '../render/style.ts';
import { renderMarkdown } from './plain-markdown.ts';

function render(text: string, columns = 60): string {
  const page = { columns, paint: painter(false), topics: ['limits', 'cli'] };
  return renderMarkdown(text, page).join('\n').trimEnd();
}

test('headings, bold text and fences lose their marks, and code keeps its lines', () => {
  expect(render('# A page\n\nIt is **bold** and `code`.\n\n```sh\nls  -l\n```\n')).toBe(
    'A page\n\nIt is bold and `code`.\n\n    ls  -l',
  );
});

test('a link to a page becomes the command that prints it, and one elsewhere keeps its address', () => {
  const text =
    'See [limits.md](limits.md), [cli](docs/cli.md), [the rules](cli.md#rules), [web](https://a.b) [adr](adr/1.md).';
  expect(render(text, 200)).toBe(
    'See `tutti help limits`, `tutti help cli`, the rules (`tutti help cli`), web (https://a.b) adr.',
  );
});

test('a table that fits has columns, and one that does not has its cells below each other', () => {
  const table = '| a | b |\n|---|:--|\n| one | `x \\| y` |\n';
  expect(render(table)).toBe('  a    b\n  one  `x | y`');
  const wide = `| name | kind | note |\n|---|---|---|\n| x | | ${'word '.repeat(20)}|\n`;
  expect(render(wide)).toMatch(/^ {2}x\n {6}note: word (?:word )+word\n {6}word/);
});

test('paragraphs and list items are filled to the width with a hanging indent', () => {
  const words = 'abcdefghi '.repeat(8);
  for (const line of render(`${words}\n${words}\n\n- ${words}\n  ${words}\n- two\n1. three`).split('\n')) {
    expect(line.length).toBeLessThanOrEqual(59);
  }
  expect(render(`- ${words}\n- two`)).toMatch(/^- abcdefghi [\s\S]*\n {2}abcdefghi[\s\S]*\n- two$/);
});
