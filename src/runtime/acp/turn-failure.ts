import { isObject, type Json, textMember } from '../../lib/json.ts';

/**
 * The bridges of claude and codex end a turn that failed like any other, and tell the error as if the model had said it,
 * unless the client knows this extension of theirs: then it stands beside the end of the turn.
 */
export const failureCapability = { jetbrains: { air: { version: 1, capabilities: ['sessionFailure'] } } };

/** That of an internal error, which is what others answer in such a case. */
export const turnFailedCode = -32_603;

/** What went wrong, or null; a warning is none, because the agent goes on by itself. */
export function failureIn(answer: Json): string | null {
  const failure = ['_meta', 'jetbrains', 'air', 'sessionFailure'].reduce<Json>(
    (value, name) => (isObject(value) ? (value[name] ?? null) : null),
    answer,
  );
  if (textMember(failure, 'severity') !== 'error') return null;
  const words = ['category', 'title', 'details'].map((name) => textMember(failure, name));
  return words.filter((word) => word !== '').join(': ');
}
