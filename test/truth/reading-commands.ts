import type { Command, RouteMap } from '@stricli/core';
import type { Context } from '../../src/cli/context.ts';
import { loadWholeApplication } from '../../src/cli/application.ts';

/** Every command that says that it only looks, by its words, from the table of commands. */
export function readingCommands(): readonly string[] {
  return knownCommands(true);
}

/** The others. */
export function writingCommands(): readonly string[] {
  return knownCommands(false);
}

const application = await loadWholeApplication();

function knownCommands(reading: boolean): readonly string[] {
  return commandsBelow(application.root, [])
    .filter(({ reads }) => reads === reading)
    .map(({ words }) => words);
}

interface KnownCommand {
  readonly words: string;
  readonly reads: boolean;
}

function commandsBelow(
  target: Command<Context> | RouteMap<Context>,
  path: readonly string[],
): readonly KnownCommand[] {
  if (!('getAllEntries' in target))
    return [{ words: path.join(' '), reads: 'reads' in target && target.reads === true }];
  return target
    .getAllEntries()
    .flatMap(({ name, target: next }) => commandsBelow(next, [...path, name['convert-camel-to-kebab']]));
}
