import { sessionStatuses } from '../../../model/session.ts';

/** Flags that several commands about sessions share. */
export const tagFlag = {
  kind: 'parsed',
  parse: String,
  brief: 'Only sessions with this tag (repeatable)',
  placeholder: 'T',
  variadic: true,
  optional: true,
} as const;

export const statusFlag = {
  kind: 'parsed',
  parse: String,
  brief: `Only sessions in this state: ${sessionStatuses.join(', ')}`,
  placeholder: 'S',
  optional: true,
  proposeCompletions: (partial: string) => sessionStatuses.filter((status) => status.startsWith(partial)),
} as const;

export const examples = [
  ['tutti session create coder task.md', 'start an agent with a prompt'],
  ['tutti session list', 'list sessions'],
  ['tutti session status ID', 'show one session'],
  ['tutti session attach ID', 'watch a live session and send it messages'],
  ['tutti session wait ID', 'wait until it ends'],
  ['tutti session continue ID TEXT', 'continue its conversation after it ended'],
  ['tutti session kill ID', 'kill it and every process it started'],
  ['tutti session archive --all --older-than 24h', 'archive old sessions'],
] as const;
