import { expect, test } from 'vitest';
import { type Config, variablesFor } from './config.ts';

test('a session sees the variables of all, of its driver, and of the driver that this one records', () => {
  const drivers: Config['drivers'] = {
    plain: { type: 'replay', cassette: 'c' },
    own: { type: 'replay', cassette: 'c', env: ['OWN'] },
    taped: { type: 'record', driver: 'own', cassette: 'c', env: ['TAPED'] },
    bare: { type: 'record', driver: 'plain', cassette: 'c' },
    lost: { type: 'record', driver: 'constructor', cassette: 'c' },
  };
  const seen = (driver: string): readonly string[] => variablesFor({ env: ['ALL'], drivers }, driver);
  expect(seen('plain')).toEqual(['ALL']);
  expect(seen('own')).toEqual(['ALL', 'OWN']);
  expect(seen('taped')).toEqual(['ALL', 'TAPED', 'OWN']);
  expect(seen('bare')).toEqual(['ALL']);
  expect(seen('lost')).toEqual(['ALL']);
  expect(seen('constructor')).toEqual(['ALL']);
});
