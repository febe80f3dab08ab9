import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Flags after which several values may stand: `--created a b` is `--created a --created b`. */
const listFlags: ReadonlySet<string> = new Set(['--created', '--modified', '--issues', '--extra-context']);
const listCommands: ReadonlySet<string> = new Set(['task', 'plan', 'spawn', 'executor', 'orchestrator']);

/** What fingers type for a longer command. `tutti help --all` lists them. */
export const shortcuts: ReadonlyMap<string, readonly string[]> = new Map([
  ['attach', ['session', 'attach']],
  ['logs', ['session', 'logs']],
  ['kill', ['session', 'kill']],
  ['ls', ['session', 'list']],
  ['ps', ['session', 'list', '--status', 'RUNNING']],
  ['approve', ['plan', 'approve']],
]);

/** The words of a command line that can be flags. */
export function beforeEnd(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end);
}

/** Whether errors are printed as JSON too. */
export function asksForJson(args: readonly string[]): boolean {
  const words = beforeEnd(args);
  const format = words.indexOf('--output-format');
  const isJson = format >= 0 && words[format + 1] === 'json';
  return isJson || words.includes('--json') || words.includes('--output-format=json');
}

/** `tutti logs ID` is `tutti session logs ID`. */
export function expandShortcut(args: readonly string[]): readonly string[] {
  const [command = '', ...rest] = args;
  const long = shortcuts.get(command);
  return long === undefined ? args : [...long, ...rest];
}

/** A command line as people and documents write it, made one that the parser knows. */
export function rewritten(
  args: readonly string[],
  folder: string,
  planCommands: readonly string[],
): readonly string[] {
  const [command, first] = args;
  if (command === undefined || !listCommands.has(command)) return args;
  const isMade = planCommands.includes('make') && command === 'plan' && isSpec(first, folder, planCommands);
  return separated(isMade ? ['plan', 'make', ...args.slice(1)] : args);
}

/** `tutti plan [SPEC]` is `tutti plan make [SPEC]`. A word that could be a misspelt command is not taken for a file. */
function isSpec(word: string | undefined, folder: string, planCommands: readonly string[]): boolean {
  if (word === undefined) return true;
  if (planCommands.includes(word)) return false;
  if (word.startsWith('-') && word !== '-')
    return !['--help', '-h', '--helpAll', '--help-all'].includes(word);
  return word === '-' || /[./]/.test(word) || existsSync(resolve(folder, word));
}

function separated(args: readonly string[]): readonly string[] {
  const line: string[] = [];
  let flag: string | null = null;
  let values = 0;
  for (const [index, arg] of args.entries()) {
    if (arg === '--') return [...line, ...args.slice(index)];
    if (arg.startsWith('-') && arg !== '-') {
      flag = listFlags.has(arg) ? arg : null;
      values = 0;
      line.push(arg);
    } else if (flag === null) line.push(arg);
    else {
      line.push(...(values === 0 ? [arg] : [flag, arg]));
      values += 1;
    }
  }
  return line;
}
