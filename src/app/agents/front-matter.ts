/** What stands between the `---` lines at the head of a Markdown file, and what follows; null when they are not closed. */
export function splitFrontMatter(
  text: string,
): { readonly frontMatter: string; readonly body: string } | null {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (opening === null) return { frontMatter: '', body: text };
  const start = opening[0].length;
  const closing = /^---[ \t]*(?:\r?\n|$)/m;
  const rest = text.slice(start);
  const end = closing.exec(rest);
  if (end === null) return null;
  // The blank first line stands for the opening mark, so that positions are those of the file.
  return { frontMatter: `\n${rest.slice(0, end.index)}`, body: rest.slice(end.index + end[0].length) };
}
