const tells =
  /\b(?:error|fail(?:ed|ures?|ing)?|assert|exception|panic(?:ked)?|not ok|cannot)\b|\w(?:Error|Exception)\b|[✖✕✗×]/i;
/** Counts of nothing, members of a printed error, and what npm says of every script that fails. */
const tellsNothing =
  /\b0 (?:errors?|fail\w*)|\b(?:errors?|fail\w*):? 0\b|^\s*['"]?\w+['"]?: \S+$|^npm (?:error|ERR!)/i;

/** The last lines that say what went wrong; where none seems to, the last ones. Empty lines never count. */
export function tellingLines(output: string, most: number): readonly string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => tells.test(line) && !tellsNothing.test(line));
  return (telling.length === 0 ? lines : telling).slice(-most);
}
