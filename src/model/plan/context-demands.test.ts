import { expect, test } from 'vitest';
import { contextWithout, demandLine } from './context-demands.ts';

test('a context demands exactly the commands that a person did not choose to continue without', () => {
  const context = `${demandLine('npm test')}\n${demandLine('npm run $& lint')}`;
  const without = contextWithout(context, ['npm run $& lint']);
  expect(without).toBe(
    '- `npm test` must pass afterwards\n- `npm run $& lint` need not pass: a person chose to continue without it',
  );
  expect(contextWithout(context, [])).toBe(context);
  expect(contextWithout(without, [])).toBe(context);
  expect(contextWithout(`  | ${context}`, ['npm test'])).toBe(`  | ${context}`);
});
