/** Text of an agent or a program as a sentence that another one may follow: with the mark that ends it. */
export function endSentence(text: string): string {
  const said = text.trimEnd().replace(/[,;:]+$/, '');
  return said === '' || /[.!?…]['"`)\]”’»]*$/.test(said) ? said : `${said}.`;
}

/** The same as a part of a list, in which our own mark follows each. */
export function withoutFullStop(text: string): string {
  return text.trimEnd().replace(/(?<!\.)\.$/, '');
}
