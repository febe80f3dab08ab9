import { expect, test } from 'vitest';
import { findRelayed } from '../../src/cli/command-relay-line.ts';
import { readingCommands, writingCommands } from '../truth/reading-commands.ts';

/** Commands that write and are not carried out for an agent in a sandbox, with the reason. */
const kept: ReadonlyMap<string, string> = new Map([
  ['run', 'a flow runs commands outside the sandbox, and the agent could have written it'],
  ['init', 'prepares a project'],
  ['demo', 'makes a project of its own'],
  ['doctor', 'looks at the machine of a person'],
  ['trust', 'is about what the agent may have written'],
  ['rebuild', 'is for a person'],
  ['recover', 'is for a person'],
  ['service install', 'starts programs later'],
  ['service uninstall', 'the same'],
  ['conductor', 'never ends'],
  ['session watchdog', 'may never end'],
  ['session prune', 'deletes'],
  ['plan edit', 'starts an editor'],
  ['compose new', 'writes a file of the project, which the agent can write in its own workspace'],
]);

function isRelayed(words: string): boolean {
  return findRelayed(words.split(' ')) === words;
}

test('every command that writes is relayed, or kept from agents in a sandbox for a reason', () => {
  const all = writingCommands();
  expect(all.filter((words) => !isRelayed(words) && !kept.has(words))).toEqual([]);
  expect([...kept.keys()].filter((words) => isRelayed(words) || !all.includes(words))).toEqual([]);
});

test('no command that only looks is relayed', () => {
  expect(readingCommands().filter(isRelayed)).toEqual([]);
});

test('names that only resemble a command are not relayed', () => {
  const lines = [
    [],
    [''],
    ['task'],
    ['task', ''],
    ['task', '--help'],
    ['constructor'],
    ['logTokens'],
    ['log '],
    ['__complete'],
  ];
  for (const line of lines) expect(findRelayed(line)).toBeNull();
});
