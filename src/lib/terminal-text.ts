/**
 * Text from an agent, a file or a person, made safe for a terminal: no escape sequences, no control characters except
 * newline and tab, no bidirectional overrides. The raw bytes stay in the session's log.
 */
export function terminalText(text: string): string {
  // Nearly all text is harmless: one look tells, and a log has millions of lines.
  if (!unsafe.test(text)) return text;
  return text
    .replaceAll(/\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?/g, '')
    .replaceAll(/\u001B[PX^_][\s\S]*?(?:\u001B\\|$)/g, '')
    .replaceAll(/(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?/g, '')
    .replaceAll(/\u001B[ -/]*[0-~]?/g, '')
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '')
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '');
}

/** What every sequence that is removed below begins with. */
const unsafe = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** The same on one line and not too wide: for tables and progress lines. */
export function oneLine(text: string, max = 200): string {
  const flat = terminalText(text).replaceAll(/\s+/g, ' ').trim();
  return flat.length <= max ? flat : `${flat.slice(0, max - 1)}…`;
}
