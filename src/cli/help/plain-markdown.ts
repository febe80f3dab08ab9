import { displayWidth, pad } from '../render/width.ts';
import type { Paint } from '../render/style.ts';

interface Page {
  readonly columns: number;
  readonly paint: Paint;
  /** Topics that a link may lead to. */
  readonly topics: readonly string[];
}

const widest = 100;
const indent = 4;

/** Our own Markdown for a terminal: no marks, lines that fit, links as commands. */
export function renderMarkdown(text: string, page: Page): readonly string[] {
  const room = Math.max(40, Math.min(widest, page.columns - 1));
  return blocksOf(text).flatMap((block) => [...renderBlock(block, { ...page, columns: room }), '']);
}

type Block =
  | { readonly kind: 'heading' | 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'list'; readonly items: readonly string[] };

function renderBlock(block: Block, page: Page): readonly string[] {
  const { columns, paint } = page;
  switch (block.kind) {
    case 'heading':
      return [paint('strong', plain(block.text, page))];
    case 'paragraph':
      return fill(plain(block.text, page), columns, '', '');
    case 'code':
      return block.lines.map((line) => `${' '.repeat(indent)}${line}`.trimEnd());
    case 'list':
      return block.items.flatMap((item) => {
        const [, mark = '', rest = ''] = /^(\s*(?:[-*]|\d+\.)\s+)([\s\S]*)$/.exec(item) ?? [];
        return fill(plain(rest, page), columns, mark, ' '.repeat(mark.length));
      });
    case 'table':
      return renderTable(
        block.rows.map((row) => row.map((cell) => plain(cell, page))),
        columns,
      );
  }
}

/** Columns side by side where they fit; otherwise the first cell, and below it the others with the names of their columns. */
function renderTable(rows: readonly (readonly string[])[], columns: number): readonly string[] {
  const shown = rows.filter((row) => row.some((cell) => cell !== ''));
  const most = Math.max(0, ...shown.map((row) => row.length));
  const widths = Array.from({ length: most }, (_, at) =>
    Math.max(...shown.map((row) => displayWidth(row[at] ?? ''))),
  );
  const whole = widths.reduce((sum, width) => sum + width + 2, 2);
  if (whole <= columns) {
    return shown.map((row) => `  ${row.map((cell, at) => pad(cell, widths[at] ?? 0)).join('  ')}`.trimEnd());
  }
  const [titles = [], ...body] = rows;
  const margin = ' '.repeat(indent + 2);
  return body.flatMap(([first = '', ...rest]) => [
    ...fill(first, columns, '  ', '  '),
    ...rest.flatMap((cell, at) => {
      const title = rest.length === 1 ? '' : (titles[at + 1] ?? '');
      return fill(title === '' || cell === '' ? cell : `${title}: ${cell}`, columns, margin, margin);
    }),
  ]);
}

/** Words on lines that fit; a word that is too long has a line of its own. */
function fill(text: string, columns: number, first: string, next: string): string[] {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    if (!empty && displayWidth(line) + 1 + displayWidth(word) > columns) {
      lines.push(line);
      [line, empty] = [next, true];
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return empty ? lines : [...lines, line];
}

/** Without bold and links. Code keeps its backticks: they show where a command ends. */
function plain(text: string, { topics }: Page): string {
  return text
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, target: string) => {
      const page = /^(?:docs\/)?([a-z-]+)\.md(?:#.*)?$/.exec(target)?.[1];
      if (page !== undefined && topics.includes(page)) {
        const command = `\`tutti help ${page}\``;
        return words.endsWith('.md') || words === page ? command : `${words} (${command})`;
      }
      return /^https?:/.test(target) && words !== target ? `${words} (${target})` : words;
    })
    .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll(String.raw`\|`, '|');
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  let at = 0;
  const takeWhile = (fits: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const fence = /^\s*(```+)/.exec(line)?.[1];
    if (fence !== undefined) {
      at += 1;
      blocks.push({ kind: 'code', lines: takeWhile((each) => !each.trimStart().startsWith(fence)) });
      at += 1;
    } else if (/^#+\s/.test(line)) {
      blocks.push({ kind: 'heading', text: line.replace(/^#+\s+/, '') });
      at += 1;
    } else if (line.startsWith('|')) {
      const rows = takeWhile((each) => each.startsWith('|')).map(cellsOf);
      blocks.push({ kind: 'table', rows: rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell))) });
    } else if (isItem(line)) {
      const whole = takeWhile((each) => isItem(each) || /^\s+\S/.test(each));
      blocks.push({ kind: 'list', items: joinItems(whole) });
    } else if (line.trim() === '') {
      at += 1;
    } else {
      at += 1;
      const rest = takeWhile(
        (each) => each.trim() !== '' && !/^(?:#+\s|\||\s*```)/.test(each) && !isItem(each),
      );
      blocks.push({ kind: 'paragraph', text: [line, ...rest].join(' ') });
    }
  }
  return blocks;
}

function isItem(line: string): boolean {
  return /^\s*(?:[-*]|\d+\.)\s+\S/.test(line);
}

function joinItems(lines: readonly string[]): readonly string[] {
  const items: string[] = [];
  for (const line of lines) {
    const last = items.at(-1);
    if (last === undefined || isItem(line)) items.push(line);
    else items[items.length - 1] = `${last} ${line.trim()}`;
  }
  return items;
}

function cellsOf(row: string): readonly string[] {
  const cells = row
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.trim());
}
