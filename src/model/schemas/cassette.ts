import * as z from 'zod';
import {
  argv,
  filledText,
  jsonSchemaLink,
  list,
  members,
  text,
  wanted,
  wholeNumber,
  yesOrNo,
} from './leaf.ts';
import { usageMembers } from './usage.ts';

const contents = z.record(
  filledText('a path'),
  z.string(wanted('the content of the file, as text')),
  wanted('a mapping of paths to contents'),
);

const command = z.union(
  [argv(), members({ command: argv(), may_fail: yesOrNo() })],
  wanted('a program and its arguments, or a mapping with command and may_fail'),
);

const matchForm = members({
  agent: text().optional(),
  step: text().optional(),
  contains: text().optional(),
  turn: wholeNumber(1, 1_000_000).optional(),
  attempt: wholeNumber(1, 1_000_000).optional(),
});

const turnForm = members({
  match: matchForm.optional(),
  delay_ms: wholeNumber(0, 86_400_000).optional(),
  files: contents.optional(),
  append: contents.optional(),
  commands: list(command, 'a list of commands').optional(),
  text: z.string(wanted('text')).optional(),
  tools: list(members({ name: filledText(), target: text().optional() }), 'a list of tools').optional(),
  usage: members(usageMembers).optional(),
  result: z.unknown().optional(),
  exit: wholeNumber(0, 255).optional(),
  hang: yesOrNo().optional(),
});

/** What the replay driver plays: the first turn whose `match` fits, each time anew. */
export const cassetteForm = members({ $schema: jsonSchemaLink, turns: list(turnForm, 'a list of turns') });

export type Cassette = z.output<typeof cassetteForm>;
export type CassetteTurn = z.output<typeof turnForm>;
export type CassetteMatch = z.output<typeof matchForm>;
