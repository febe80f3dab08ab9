import { expect, test } from 'vitest';
import { describeHolder, describeSilence, silenceHint, takeOverHint } from './silent-holder.ts';

const suspended = { pid: 7, known: 'suspended' } as const;
const lapsed = { pid: 7, known: 'lapsed' } as const;

test('a holder that does not respond is described by how that is known', () => {
  expect(describeSilence(suspended)).toBe('does not respond: it is suspended');
  expect(describeSilence(lapsed)).toBe('does not respond: its lease has lapsed');
});

test('a suspended holder can continue, and its run can be taken over once its lease has lapsed', () => {
  const takeOver = takeOverHint(suspended, 'r');
  expect(takeOver).toBe('take the run over when its lease has lapsed, after 30 s: tutti resume r');
  expect(silenceHint(suspended, takeOver)).toBe(`let it continue: kill -CONT 7; or ${takeOver}`);
  expect(silenceHint(lapsed, takeOverHint(lapsed, 'r'))).toBe('take the run over: tutti resume r');
});

test('a holder that does not respond is named with the run that it holds, and the number of its other runs', () => {
  const words = 'does not respond: it is suspended';
  expect(describeHolder(suspended, 'r')).toBe(`process 7, which holds run r, ${words}`);
  expect(describeHolder(suspended, 'r', 1)).toBe(`process 7, which holds run r and another one, ${words}`);
  expect(describeHolder(suspended, 'r', 2)).toBe(`process 7, which holds run r and 2 others, ${words}`);
});
