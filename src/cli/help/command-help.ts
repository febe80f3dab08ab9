/** What the help of a command needs of a flag, as stricli keeps it. */
interface ShownFlag {
  readonly kind: string;
  readonly placeholder?: string;
  readonly default?: unknown;
}

export type ShownFlags = Readonly<Record<string, ShownFlag>>;

/** The usage line with `[--no-verify]` for a flag that is on by default; stricli shows `[--verify]`. */
export function withNegations(help: string, flags: ShownFlags): string {
  const on = Object.entries(flags).filter(([, flag]) => flag.kind === 'boolean' && flag.default === true);
  return on.reduce((text, [name]) => text.replace(`[--${kebab(name)}]`, `[--no-${kebab(name)}]`), help);
}

/** The table FLAGS with the value of each flag, `[--driver NAME]`; stricli shows values in the usage line only. */
export function withValues(help: string, flags: ShownFlags): string {
  const values = new Map(
    Object.entries(flags).flatMap(([name, { kind, placeholder }]) =>
      kind === 'parsed' && placeholder !== undefined
        ? [[`--${kebab(name)}`, `--${kebab(name)} ${placeholder}`]]
        : [],
    ),
  );
  return withTable(help, 'FLAGS', (rows) =>
    aligned(
      rows.map((row): Row => {
        const [, indent = '', name = '', text = ''] = /^(.{5})( ?\S+) *(.*)$/.exec(row) ?? [];
        return [indent + name.replace(/--[\w-]+/, (flag) => values.get(flag) ?? flag), text];
      }),
    ),
  );
}

/** The table ARGUMENTS with these rows, unless there are none. */
export function withArguments(help: string, rows: readonly Row[]): string {
  if (rows.length === 0) return help;
  return withTable(help, 'ARGUMENTS', () => aligned(rows.map(([name, text]) => [`  ${name}`, text])));
}

type Row = readonly [name: string, text: string];

function aligned(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`.trimEnd());
}

/** A table ends with an empty line, or with the help. */
function withTable(
  help: string,
  title: string,
  change: (rows: readonly string[]) => readonly string[],
): string {
  const lines = help.split('\n');
  const first = lines.indexOf(title) + 1;
  if (first === 0) return help;
  const length = [...lines.slice(first), ''].indexOf('');
  return lines.toSpliced(first, length, ...change(lines.slice(first, first + length))).join('\n');
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
