const tells =
  /\b(?:error|fail(?:ed|ures?|ing)?|assert|exception|panic(?:ked)?|not ok|cannot)\b|\w(?:Error|Exception)\b|[✖✕✗×]/i;
/** Counts of nothing, members of a printed error, and what npm says of every script that fails. */
const tellsNothing =
  /\b0 (?:errors?|fail\w*)|\b(?:errors?|fail\w*):? 0\b|^\s*['"]?\w+['"]?: \S+$|^npm (?:error|ERR!)/i;

/** The last lines that say what went wrong; where none seems to, the last ones. Empty lines never count. */
export function tellingLines(output: string, most: number): readonly string[] {
  const telling = linesThatTell(output);
  return (telling.length === 0 ? linesOf(output) : telling).slice(-most);
}

/** The last line that says what went wrong; null: none seems to. */
export function lastTellingLine(output: string): string | null {
  return linesThatTell(output).at(-1) ?? null;
}

function linesThatTell(output: string): readonly string[] {
  return linesOf(output).filter((line) => tells.test(line) && !tellsNothing.test(line));
}

function linesOf(output: string): readonly string[] {
  return output.split('\n').filter((line) => line.trim() !== '');
}
