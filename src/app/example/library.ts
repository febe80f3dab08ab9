/** The small library that the example's agents write, file by file: real code, real tests. */

export const manifest = `{
  "name": "tiny-duration",
  "version": "0.0.0",
  "type": "module",
  "exports": "./src/index.js",
  "bin": { "duration-sum": "./bin/duration-sum.js" }
}
`;

export const units = `/** Milliseconds of each unit, the largest first. */
export const units = new Map([
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
]);
`;

export const unitsTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { units } from '../src/units.js';

test('the largest unit comes first', () => assert.deepEqual([...units.keys()], ['h', 'm', 's']));
test('an hour has sixty minutes', () => assert.equal(units.get('h'), 60 * units.get('m')));
`;

/** The first try forgets that units can follow each other: its own test finds it. */
export const parseFirst = `import { units } from './units.js';

export function parse(text) {
  const match = /^(\\d+)([smh])/.exec(text);
  if (match === null) throw new RangeError(\`'\${text}' is not a duration\`);
  return Number(match[1]) * units.get(match[2]);
}
`;

export const parse = `import { units } from './units.js';

export function parse(text) {
  if (!/^(\\d+[smh])+$/.test(text)) throw new RangeError(\`'\${text}' is not a duration\`);
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/(\\d+)([smh])/g)) ms += Number(amount) * units.get(unit);
  return ms;
}
`;

export const parseTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../src/parse.js';

test('one unit', () => assert.equal(parse('90s'), 90_000));
test('several units add up', () => assert.equal(parse('1h30m'), 5_400_000));
test('anything else is refused', () => assert.throws(() => parse('soon'), RangeError));
`;

export const format = `import { units } from './units.js';

export function format(ms) {
  let left = Math.round(ms / 1_000) * 1_000;
  const shown = [];
  for (const [unit, size] of units) {
    const amount = Math.floor(left / size);
    left -= amount * size;
    if (amount > 0) shown.push(\`\${amount}\${unit}\`);
  }
  return shown.length === 0 ? '0s' : shown.join(' ');
}
`;

export const formatTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format } from '../src/format.js';

test('units that are zero are left out', () => assert.equal(format(5_400_000), '1h 30m'));
test('nothing is zero seconds', () => assert.equal(format(0), '0s'));
test('minutes and seconds', () => assert.equal(format(90_000), '1m 30s'));
`;

export const sum = `import { format } from './format.js';
import { parse } from './parse.js';

export function sum(texts) {
  return format(texts.reduce((total, text) => total + parse(text), 0));
}
`;

export const sumTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.js';

test('durations add up', () => assert.equal(sum(['1h', '30m']), '1h 30m'));
test('no durations are nothing', () => assert.equal(sum([]), '0s'));
`;

export const longest = `import { parse } from './parse.js';

export function longest(texts) {
  if (texts.length === 0) throw new RangeError('there is no duration');
  return texts.reduce((best, text) => (parse(text) > parse(best) ? text : best));
}
`;

export const longestTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longest } from '../src/longest.js';

test('the longest wins, whatever its unit', () => assert.equal(longest(['1h', '90m', '30s']), '90m'));
test('of equal ones the first', () => assert.equal(longest(['60m', '1h']), '60m'));
test('of none there is no longest', () => assert.throws(() => longest([]), RangeError));
`;

export const command = `#!/usr/bin/env node
import process from 'node:process';
import { sum } from '../src/sum.js';

try {
  process.stdout.write(\`\${sum(process.argv.slice(2))}\\n\`);
} catch (error) {
  process.stderr.write(\`duration-sum: \${error.message}\\n\`);
  process.exitCode = 1;
}
`;

export const commandTest = `import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/duration-sum.js', import.meta.url));
const run = (...words) => spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });

test('it prints the sum', () => assert.equal(run('1h', '30m').stdout, '1h 30m\\n'));
test('a word that is no duration ends it with code 1 and one sentence', () => {
  const { status, stdout, stderr } = run('1h', 'soon');
  assert.deepEqual([status, stdout, stderr], [1, '', "duration-sum: 'soon' is not a duration\\n"]);
});
`;

export const index = `export { format } from './format.js';
export { longest } from './longest.js';
export { parse } from './parse.js';
export { sum } from './sum.js';
`;

export const indexTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as duration from 'tiny-duration';

test('the package offers its functions', () => {
  assert.deepEqual(Object.keys(duration).sort(), ['format', 'longest', 'parse', 'sum']);
});
`;
