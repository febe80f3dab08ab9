/** `a, b and 3 more`: names in a sentence, of which there may be any number. */
export function firstFew(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
