/** Words as a person lists them: `a, b or c`. */
export function listWords(words: readonly string[], conjunction: 'and' | 'or'): string {
  const last = words.at(-1) ?? '';
  const others = words.slice(0, -1).join(', ');
  return others === '' ? last : `${others} ${conjunction} ${last}`;
}
