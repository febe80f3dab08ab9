import { basename } from 'node:path';

/** Programs that run the program named by their first argument. */
const interpreters: ReadonlySet<string> = new Set([
  'node',
  'nodejs',
  'bun',
  'deno',
  'python',
  'python3',
  'sh',
  'bash',
]);

/** The names of a program, without folder and ending: `node /opt/bin/codex.js` is `node` and `codex`. */
export function programNames(
  files: readonly string[],
  [program = '', ...args]: readonly string[],
): readonly string[] {
  const own = [...files, program].map(bareName);
  const script = own.some((name) => interpreters.has(name)) ? args.find((word) => !word.startsWith('-')) : '';
  return [...new Set([...own, bareName(script ?? '')])].filter((name) => name !== '');
}

/** A program may call itself by a whole sentence, as `tmux: server` does: its first word counts. */
function bareName(path: string): string {
  return basename(path.trim().split(/\s/)[0] ?? '').replace(/\.(?:exe|[cm]?js|ts|py|sh)$/i, '');
}
