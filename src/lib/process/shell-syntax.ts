import { spawnSync } from 'node:child_process';

const timeoutMs = 20_000;
/** Commands that one shell is asked about. */
const together = 2000;

/**
 * Those commands that a shell cannot parse, with what it says. Nothing is run: the shell only reads (`sh -n`). Commands of
 * the plainest kind need no shell; the others are asked about many at a time, and one by one only where something is wrong.
 */
export function shellTroubles(commands: readonly string[]): ReadonlyMap<string, string> {
  const troubles = new Map<string, string>();
  const doubtful = [...new Set(commands)].filter((command) => !plain.test(command));
  const { tame = [], odd = [] } = Object.groupBy(doubtful, (command) => (isTame(command) ? 'tame' : 'odd'));
  for (let first = 0; first < tame.length; first += together) {
    look(tame.slice(first, first + together), troubles);
  }
  for (const command of odd) look([command], troubles);
  return troubles;
}

const reserved = 'if|then|elif|else|fi|for|in|do|done|while|until|case|esac|function|select|time|coproc';
const argument = String.raw`(?:[\w./:@%+=,-]+|'[^'\n]*'|"[^"\\$\x60\n!]*")`;
const simple = String.raw`(?!(?:${reserved})(?:[\s;&|]|$))[\w./:@%+,-]+(?:[ \t]+${argument})*`;
/** Programs that are no words of the shell, with arguments that mean nothing to it. */
const plain = new RegExp(String.raw`^${simple}(?:[ \t]*(?:&&|\|\|?|;)[ \t]*${simple})*$`);

/** Cannot reach beyond its own end, whatever else is wrong with it: a quote, a bracket or a here-document left open would. */
function isTame(command: string): boolean {
  const bare = command.replaceAll(/\\[^\n]|'[^']*'|"[^"\\$`]*"/g, '');
  if (/['"`\\#]|<<|\$[({]/.test(bare)) return false;
  let depth = 0;
  for (const [bracket] of bare.matchAll(/[(){}]/g)) {
    depth += bracket === '(' || bracket === '{' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function look(commands: readonly string[], troubles: Map<string, string>): void {
  const [only = ''] = commands;
  const trouble = parse(commands.length === 1 ? only : commands.map((each) => `(\n${each}\n)\n`).join(''));
  if (trouble === null) return;
  if (commands.length === 1) {
    troubles.set(only, trouble);
    return;
  }
  const half = Math.ceil(commands.length / 2);
  look(commands.slice(0, half), troubles);
  look(commands.slice(half), troubles);
}

/** By way of its input: some shells run what `-c` gives them, `-n` or not. */
function parse(script: string): string | null {
  const { status, error, stderr } = spawnSync('/bin/sh', ['-n'], {
    input: `${script}\n`,
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
    timeout: timeoutMs,
    maxBuffer: 1024 * 1024,
  });
  // A machine without a shell that answers will say so when the command is to be run.
  if (error !== undefined || status === 0 || status === null) return null;
  const [said = ''] = stderr.split('\n');
  return said.replace(/^.*?(?:[Ss]yntax error:?|line \d+:)\s*/, '').trim();
}
