import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands, partNames } from './commands.ts';

const folder = new URL('./commands/', import.meta.url);

/** Every command and family: its words and its summary. */
const listed = Object.entries(commands).flatMap(([name, entry]) => [
  [name, entry.summary] as const,
  ...('parts' in entry
    ? Object.entries(entry.parts).map(([part, { summary }]) => [`${name} ${part}`, summary] as const)
    : []),
]);

/** Words that a summary may begin with. A new verb is added here. */
const verbs = new Set(
  `Add Advance Answer Append Approve Archive Bundle Check Claim Continue Create Define Delegate Delete Edit Enforce Find Finish
   Generate Kill List Mark Merge Move Plan Print Record Refuse Remove Reopen Restore Review Rewrite Run Send Set Show Skip Start Stop
   Submit Track Turn Validate Wait Watch Work Write`.split(/\s+/),
);

function faultOf(summary: string): string | null {
  if (summary.length > 60) return `${summary.length} characters`;
  if (!verbs.has(summary.split(' ')[0] ?? '')) return 'no verb first';
  return summary.endsWith('.') ? 'a full stop' : null;
}

test.for(listed)('the summary of `tutti %s` is a short imperative', ([, summary]) => {
  expect(faultOf(summary)).toBeNull();
});

test('a summary that is too long, has no verb first or ends with a full stop is seen', () => {
  const wrong = [`Show ${'x'.repeat(56)}`, 'The runs of this project', 'List runs.'];
  expect(wrong.map(faultOf)).toEqual(['61 characters', 'no verb first', 'a full stop']);
});

test('the file of a command is named by its words', () => {
  const table = readFileSync(new URL('commands.ts', import.meta.url), 'utf8');
  const files = [...table.matchAll(/load: \(\) => import\('\.\/commands\/([^']+)\.ts'\)/g)].map(
    ([, path = '']) => path.replace('/', ' '),
  );
  const words = listed.map(([name]) => name).filter((name) => !partNames.has(name));
  expect(files).toEqual(words);
  expect(
    [...partNames.keys()].filter((family) => !existsSync(new URL(`${family}/group.ts`, folder))),
  ).toEqual([]);
  // Below the folder of a family stand its commands and what they share.
  const below = [...partNames].flatMap(([family, parts]) =>
    readdirSync(new URL(`${family}/`, folder)).filter(
      (file) => ![...parts, 'group'].includes(file.replace('.ts', '')),
    ),
  );
  expect(below).toEqual([]);
});
