import { expect, test } from 'vitest';
import { entryColumnsWith } from './entry-columns.ts';
import { qualifiedSessionColumns } from './session-columns.ts';

test('no column of an entry has the name of a column of its session: older versions of Node would drop one', () => {
  const columns = `${qualifiedSessionColumns}, ${entryColumnsWith({ attempt: 'l.attempt', session: 's.id' })}`;
  const names = columns.split(', ').map((column) => column.replace(/^.* as |^\w+\./, ''));
  expect(names.length).toBeGreaterThan(20);
  expect(names).toEqual([...new Set(names)]);
});
