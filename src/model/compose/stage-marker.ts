import { oneLine } from '../../lib/terminal-text.ts';

/** What the last line of an executor's agent says about its action. */
export type StageAccount = { readonly at: 'complete' } | { readonly at: 'failed'; readonly reason: string };

const longestReason = 500;

/**
 * The account in a text: the last line that is nothing but `STAGE_<ACTION>_COMPLETE`, or that begins with `STAGE_FAILED`. Words in
 * the middle of a sentence are no account. Null: there is none.
 */
export function readAccount(text: string, action: string): StageAccount | null {
  const complete = `STAGE_${action}_COMPLETE`.toLowerCase();
  for (const line of readLines(text).toReversed()) {
    if (line.toLowerCase() === complete) return { at: 'complete' };
    const [, reason = null] = /^STAGE_FAILED(?::\s*(.*))?$/su.exec(line) ?? [];
    if (reason !== null || line === 'STAGE_FAILED')
      return { at: 'failed', reason: oneLine(reason ?? '', longestReason) };
  }
  return null;
}

/** The last line that is exactly one of the words; null: none is. */
export function readAnswer(text: string, words: readonly string[]): string | null {
  return readLines(text).findLast((line) => words.includes(line)) ?? null;
}

/** Without the marks by which Markdown shows code and emphasis. */
function readLines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim().replaceAll(/^[`*]+|[`*]+$/g, ''));
}
