import { sessionStatuses } from '../../model/session.ts';

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
