/** The small library that the demo's agents write: real code, real tests. The texts are what the cassette plays. */

export const spec = `# tiny-duration

A library with no dependencies that handles durations.

- \`parse('1h30m')\` gives milliseconds; anything that is not a duration throws a RangeError.
- \`format(5400000)\` gives text for people.
- \`sum(['1h', '30m'])\` adds durations and gives text.
- Every function has tests that run with \`node --test\`.
`;

export const manifest = `{
  "name": "tiny-duration",
  "version": "0.0.0",
  "type": "module",
  "exports": "./src/index.js"
}
`;

export const interfaces = `# Interfaces

| module | export | contract |
|---|---|---|
| src/parse.js | parse(text) | '1h30m' → 5400000; RangeError for anything else |
| src/format.js | format(ms) | 5400000 → text |
| src/sum.js | sum(texts) | adds with parse, answers with format |
`;

/** The first try forgets that units can follow each other: its own test finds it. */
export const parseFirst = `const units = { s: 1_000, m: 60_000, h: 3_600_000 };

export function parse(text) {
  const match = /^(\\d+)([smh])/.exec(text);
  if (match === null) throw new RangeError(\`'\${text}' is not a duration\`);
  return Number(match[1]) * units[match[2]];
}
`;

export const parseHealed = `const units = { s: 1_000, m: 60_000, h: 3_600_000 };

export function parse(text) {
  if (!/^(\\d+[smh])+$/.test(text)) throw new RangeError(\`'\${text}' is not a duration\`);
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/(\\d+)([smh])/g)) ms += Number(amount) * units[unit];
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

export const format = `export function format(ms) {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'm'],
    [seconds % 60, 's'],
  ];
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => \`\${amount}\${unit}\`);
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

export const index = `export { parse } from './parse.js';
export { format } from './format.js';
export { sum } from './sum.js';
`;

export const indexTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as duration from 'tiny-duration';

test('the package offers the three functions', () => {
  assert.deepEqual(Object.keys(duration).sort(), ['format', 'parse', 'sum']);
});
`;
