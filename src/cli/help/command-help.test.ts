import { expect, test } from 'vitest';
import { withArguments, withNegations, withValues } from './command-help.ts';

const flags = {
  maxCost: { kind: 'parsed', placeholder: 'USD' },
  tag: { kind: 'parsed', placeholder: 'T' },
  verify: { kind: 'boolean', default: true },
  json: { kind: 'boolean', default: false },
};

const help = `USAGE
  tutti go [--max-cost USD] [--verify] [--json] <ID>...

FLAGS
     [--max-cost]            Stop after spending USD dollars
     [--tag]...              Tag (repeatable)
     [--verify/--no-verify]  Verify                           [default = true]
     [--json]                Print JSON
  -h  --help                 Print help and exit

ARGUMENTS
  ID...  Some words
`;

test('the table of flags has the value of each flag in one column with the others', () => {
  expect(withValues(help, flags)).toBe(
    help
      .replace('[--max-cost]            Stop', '[--max-cost USD]        Stop')
      .replace('[--tag]...              Tag', '[--tag T]...            Tag'),
  );
  expect(withValues(help, { json: { kind: 'parsed', placeholder: 'A_LONG_PLACEHOLDER' } })).toContain(
    '     [--json A_LONG_PLACEHOLDER]  Print JSON\n  -h  --help                      Print help and exit\n\nARGUMENTS',
  );
});

test('a flag that is on by default is shown negated in the usage line only', () => {
  expect(withNegations(help, flags)).toBe(help.replace('[--verify] [', '[--no-verify] ['));
});

test('rows of arguments replace the row of a list, and no rows change nothing', () => {
  const rows = [
    ['ID', 'A task'],
    ['FILE...', 'Files'],
  ] as const;
  expect(withArguments(help, rows)).toMatch(/ARGUMENTS\n {2}ID {7}A task\n {2}FILE\.\.\. {2}Files\n$/);
  expect(withArguments(help, [])).toBe(help);
});
