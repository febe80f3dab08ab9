/** How many mistakes stand in one sentence: a person who repairs them should not have to ask again for each. */
export const shownInSentence = 5;

/** `a, b and 3 more`: names in a sentence, of which there may be any number. */
export function firstFew(names: readonly string[], most: number, separator = ', '): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(separator)}${rest > 0 ? ` and ${rest} more` : ''}`;
}
