import { isObject, type Json } from '../../src/lib/json.ts';
import type { Random } from '../simulation/random.ts';

/** Ways to spoil a log, each as often as it says. The costly ones are rare: 20,000 of each kind of log must fit in seconds. */
const weights = {
  drop: 20,
  duplicate: 10,
  truncate: 15,
  swap: 10,
  merge: 8,
  retype: 30,
  remove: 15,
  rename: 8,
  flip: 20,
  insert: 10,
  huge: 8,
  utf8: 8,
  blank: 4,
  nest: 0.1,
  long: 0.05,
};

const strange: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  'success',
  'x'.repeat(300),
  [],
  {},
  [[]],
  ['success'],
  { type: 'result' },
  '\u0000\u001B[2J\u202E',
  '__proto__',
];

/** A log that was good or bad, spoiled in one to four ways; as lines, as a reader of the file would get them. */
export function mutated(
  log: readonly string[],
  others: readonly (readonly string[])[],
  random: Random,
): string[] {
  let lines = [...log];
  for (let ways = 1 + random.below(4); ways > 0; ways -= 1) {
    lines = spoiled(lines, others, random);
  }
  return lines;
}

function spoiled(lines: string[], others: readonly (readonly string[])[], random: Random): string[] {
  if (lines.length === 0) return ['{}'];
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  const replaced = (...by: readonly string[]): string[] => lines.toSpliced(at, 1, ...by);
  switch (random.weighted(weights)) {
    case 'drop':
      return lines.toSpliced(at, 1 + random.below(2));
    case 'duplicate':
      return replaced(line, line);
    case 'truncate':
      return random.chance(0.5)
        ? [...lines.slice(0, at), line.slice(0, random.below(line.length + 1))]
        : replaced(line.slice(0, random.below(line.length + 1)));
    case 'swap': {
      const other = random.below(lines.length);
      return lines.with(at, lines[other] ?? '').with(other, line);
    }
    case 'merge': {
      const other = random.pick(others) ?? [];
      return random.chance(0.5)
        ? [...lines, ...other]
        : lines.flatMap((one, index) => [one, ...other.slice(index, index + 1)]);
    }
    case 'retype':
      return replaced(changedMember(line, random, () => random.pick(strange) ?? null));
    case 'remove':
      return replaced(changedMember(line, random, () => undefined));
    case 'rename':
      return replaced(line.replace(/"([a-z_.]+)"/, (_, name: string) => `"${name}x"`));
    case 'flip':
      return replaced(flipped(line, random));
    case 'insert':
      return replaced(
        line,
        random.pick(['[]', 'null', '"x"', '{}', '{', '5', 'Error: no', '{"type":null}', '\uFEFF{}']) ?? '',
      );
    case 'huge':
      return replaced(
        line.replaceAll(
          /:(\d+)/g,
          () => `:${random.pick(['1e400', '-1e400', '1e308', '9'.repeat(40), '-5', '0.1'])}`,
        ),
      );
    case 'utf8':
      return replaced(...broken(line, random));
    case 'blank':
      return replaced(' '.repeat(random.below(3)), line);
    case 'nest':
      return replaced(line, nested(random));
    case 'long':
      return replaced(`{"type":"result","result":"${'a (b: '.repeat(20_000)}"`, line);
    default:
      return lines;
  }
}

/** Some member somewhere in the line's object becomes another; `undefined` takes it away. */
function changedMember(line: string, random: Random, to: () => Json | undefined): string {
  if (line.length > 10_000) return line;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line;
  }
  return JSON.stringify(changedIn(value, random, to)) ?? '';
}

function changedIn(value: unknown, random: Random, to: () => Json | undefined): unknown {
  if (Array.isArray(value)) {
    const at = random.below(value.length);
    return value.map((item: unknown, index) => (index === at ? (changedIn(item, random, to) ?? null) : item));
  }
  if (!isObject(value)) return to();
  const name = random.pick(Object.keys(value));
  if (name === undefined) return { added: to() };
  const member = value[name];
  const deeper = typeof member === 'object' && member !== null && random.chance(0.7);
  return { ...value, [name]: deeper ? changedIn(member, random, to) : to() };
}

function flipped(line: string, random: Random): string {
  const bytes = Buffer.from(line);
  if (bytes.length === 0) return line;
  const at = random.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  return bytes.toString('utf8').replaceAll('\n', ' ');
}

/** Bytes that are no text: read as the log file is. */
function broken(line: string, random: Random): readonly string[] {
  const bytes = Buffer.from(line);
  const at = random.below(bytes.length + 1);
  const bad = Buffer.from(
    random.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88], [0x00], [0x0d]]) ?? [],
  );
  return new TextDecoder()
    .decode(Buffer.concat([bytes.subarray(0, at), bad, bytes.subarray(at)]))
    .split('\n');
}

function nested(random: Random): string {
  const deep = 20_000;
  const [open, close] = random.chance(0.5) ? ['{"type":', '}'] : ['[', ']'];
  return `{"type":"result","is_error":false,"subtype":"success","x":${open.repeat(deep)}1${close.repeat(deep)}}`;
}
