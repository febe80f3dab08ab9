/** How many cells of a terminal a text takes; it must hold no control characters. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += cellsOf(character.codePointAt(0) ?? 0);
  return width;
}

/** Cut to a number of cells, so that a line never wraps. */
export function fit(text: string, cells: number): string {
  if (displayWidth(text) <= cells) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += cellsOf(character.codePointAt(0) ?? 0);
    if (width > cells - 1) break;
    kept += character;
  }
  return cells < 1 ? '' : `${kept}…`;
}

/** The whole text on as many lines as it takes, each indented; words are broken only where one does not fit. No lines for no text. */
export function wrap(text: string, cells: number, indent: number): string[] {
  const room = Math.max(2, cells - indent);
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const character of text) {
    const more = displayWidth(character);
    if (width + more > room) {
      const end = character === ' ' ? line.length : line.lastIndexOf(' ') + 1 || line.length;
      lines.push(line.slice(0, end));
      line = line.slice(end);
      width = displayWidth(line);
    }
    line += character;
    width += more;
  }
  return (line === '' ? lines : [...lines, line]).map((each) => `${' '.repeat(indent)}${each}`);
}

export function pad(text: string, cells: number): string {
  return `${text}${' '.repeat(Math.max(0, cells - displayWidth(text)))}`;
}

/** Cells below each other, each column as wide as its widest cell; the last one ends where its text does. */
export function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell));
  return rows.map((row) =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** East Asian wide characters and emoji take two cells, combining marks none. */
function cellsOf(code: number): number {
  if (code < 0x300) return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(String.fromCodePoint(code))) return 0;
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

const wide = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
] as const;
