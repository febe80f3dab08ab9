import { join } from 'node:path';

/** What no refusal may ever show: it is in files outside the project. */
export const secret = 'THE-SECRET-OF-THE-NEIGHBOUR';

export interface Random {
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** Mulberry32: the same names in every run. */
export function randomOf(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: <T>(choices: readonly T[]): T => {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}

const ups = ['..', '../', '../..', '../../outside', '../outside', './../outside', 'sub/../../outside'];
/** None of these may stand in a name, whatever stands around it. */
const pieces = [
  ups,
  ['/', '\\', '/etc/passwd', '//', './', '.', '~', '~root', ' ', '\t', '\n', '\r\n', '\0', '\0.md'],
  ['\u001B[31m', '\u001B]0;title\u0007', '\u009B2J', '\u0007', '\u007F', '\b'],
  ['\u202E', '\u2066', '\u200B', '\u00AD', '\uFEFF', '\uFF0E\uFF0E', '\u2024\u2024', '\u2215', '\u29F8'],
  ['é', 'e\u0301', 'а', '東', '😀', '\uD800', '\uDFFF', 'İ', 'ß', '\u212A', '\u017F'],
  [
    '$(reboot)',
    '`id`',
    ';',
    '&&',
    '|',
    '>',
    '*',
    '?',
    '[a]',
    '{a,b}',
    '"',
    "'",
    '%2e%2e',
    '%00',
    '#',
    '=',
    ':',
    '@',
    '!',
  ],
].flat();
const safe = ['a', 'Z', '7', '_', '-', 'worker', 'agent', '20251118-153042-x'];

/** Never a name: of an agent, a session, a tag or a template. */
export function hostileName(random: Random): string {
  switch (random.below(8)) {
    case 0:
      return 'x'.repeat(random.pick([129, 200, 300, 4096, 70_000]));
    case 1:
      return `-${word(random)}`;
    case 2:
      return random.pick([
        '',
        '-',
        '--',
        '--help',
        '.',
        '..',
        '...',
        ' ',
        '\0',
        '__proto__/',
        'constructor.',
      ]);
    case 3:
      return random.pick(ups) + random.pick(['', '/', '/state.json', '/secret.md', '\0']);
    default:
      return word(random) + random.pick(pieces) + word(random);
  }
}

/** Never a directory of the project that may be used: it is none, leads out, or is not what it looks like. */
export function hostileDirectory(random: Random, parent: string): string {
  const outside = join(parent, 'outside');
  switch (random.below(6)) {
    case 0:
      return random.pick([
        outside,
        parent,
        '/',
        '/etc',
        '/tmp',
        '/proc/self',
        '/proc/self/root',
        '/proc/self/cwd',
      ]);
    case 1:
      return random.pick([
        'link',
        'link/',
        'link/sub',
        './link',
        'sub/up',
        'sub/up/sub',
        'agents/folder',
        'link//sub',
      ]);
    case 2:
      return (
        random.pick(['sub/..', 'sub/../sub', '..', 'sub/../../project', ...ups]) +
        random.pick(['', '/', '/.'])
      );
    case 3:
      return `-${random.pick(['sub', 'x', '', '-help', word(random)])}`;
    case 4:
      return `${random.pick(['sub', outside, ''])}\0${word(random)}`;
    default:
      return random.pick(['sub/', '', 'nowhere/']) + hostileName(random) + random.pick(['', '/x']) + '\u0001';
  }
}

function word(random: Random): string {
  return Array.from({ length: random.below(3) }, () => random.pick(safe)).join('');
}
