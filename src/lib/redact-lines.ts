import type { Redactor } from './redact.ts';

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /^.*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** What stands inside: lines of base64, a header, nothing. A prompt or a margin may stand before it. */
const inside = /^[^A-Za-z0-9]*(?:[A-Za-z0-9+/=]+|[A-Za-z-]+: .*)?[^A-Za-z0-9]*$/;
const instead = '[redacted:private-key]';

/** The lines of one text, one after the other: a key may begin in one and end in another. */
export function lineRedactor(redactor: Redactor): (line: string) => string {
  let within = false;
  return (line) => {
    let rest = line;
    let before = '';
    if (within) {
      const last = end.exec(line);
      within = last === null && inside.test(line);
      if (within) return instead;
      if (last !== null) {
        before = instead;
        rest = line.slice(last[0].length);
      }
    }
    const begun = [...rest.matchAll(begin)].at(-1);
    within = begun !== undefined && !end.test(rest.slice(begun.index));
    return before + redactor.text(rest);
  };
}

export function* redactedLines(lines: Iterable<string>, redactor: Redactor): Generator<string> {
  const redacted = lineRedactor(redactor);
  for (const line of lines) yield redacted(line);
}
