import { stringify } from 'yaml';
import { spec, specName } from './spec.ts';
import { exampleTurns, type TurnOptions } from './turns.ts';

/** A project that can be planned, executed and landed with no key: the specification, and the cassette of its agents. */
export function exampleProject(options: TurnOptions = {}): ReadonlyMap<string, string> {
  return new Map([
    [specName, spec],
    ['cassette.yaml', stringify({ turns: exampleTurns(options) })],
    ['tutti.yaml', 'driver: replay\n'],
    ['.gitignore', '.tutti/\n'],
  ]);
}
