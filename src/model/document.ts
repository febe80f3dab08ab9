import { firstFew, shownInSentence } from '../lib/first-few.ts';

/** What an agent left where its document should be, and what does not count of it. */
export type WrongDocument = MissingDocument | InvalidDocument;

interface MissingDocument {
  readonly at: 'missing';
  readonly path: string;
}

export interface InvalidDocument {
  readonly at: 'invalid';
  readonly problems: readonly string[];
  /** Digest of the files as they are: equal digests mean that nothing moved. */
  readonly left: string;
}

/** Why it does not count, in one sentence. */
export function problemOfDocument(wrong: WrongDocument): string {
  if (wrong.at === 'missing') return `the agent ended without writing ${wrong.path}`;
  return firstFew(wrong.problems, shownInSentence, '; ');
}
