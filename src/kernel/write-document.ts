import { digest } from '../lib/digest.ts';
import { plain, textMember } from '../lib/json.ts';
import { problemOfDocument, type InvalidDocument, type WrongDocument } from '../model/document.ts';
import { failure, type Failure } from '../model/failure.ts';
import { healWords, type LaterWords } from '../model/heal-prompt.ts';
import { agentWork, type AgentWork, type Judgement } from './agent-work.ts';
import { StepFailed, type Ctx } from './ctx.ts';

/** Files that one agent owes, and how they are checked. */
export interface DocumentWork<Right>
  extends Pick<AgentWork, 'id' | 'identity' | 'words' | 'recognizes' | 'prompt' | 'spec'> {
  /** Turns that may follow the first one with what the check found. */
  readonly repairs: number;
  /** Comes between a turn and the look at what it left. */
  readonly settle?: ((after: string) => Promise<void>) | undefined;
  /** What is there after that turn. `looks`: how often it was looked at before. */
  readonly look: (after: string, looks: number) => Promise<Right | WrongDocument>;
  /** Who puts right what does not pass: the agent, or a person who changed it since. Absent: the agent. */
  readonly repair?: ((found: InvalidDocument, after: string, looks: number) => Promise<Repair>) | undefined;
  /** What is said to an agent that wrote nothing. */
  readonly reminder: (task: string, path: string) => LaterWords;
}

/** `again`: a person has put it right, look once more. */
export type Repair = 'agent' | 'again' | { readonly givenUp: Failure };

export type DocumentEnd<T> =
  | { readonly at: 'done'; readonly value: T }
  | { readonly at: 'failed'; readonly failure: Failure };

/** One agent, until what it owes is there and right. What it says about it does not count. */
export async function writeDocument<Right extends { readonly at: string }>(
  ctx: Ctx,
  { repairs, settle, look, repair, reminder, ...work }: DocumentWork<Right>,
): Promise<DocumentEnd<Right>> {
  let missing = 0;
  const seen: { last: { readonly after: string; readonly found: Right | WrongDocument } | null } = {
    last: null,
  };
  try {
    const end = await agentWork(ctx, {
      ...work,
      retryMax: repairs,
      // What it wrote is checked by code.
      gated: true,
      judge: async (_ended, after) => {
        await settle?.(after);
        for (let looks = 0; ; looks += 1) {
          const found = await look(after, looks);
          seen.last = { after, found };
          if (!isWrong(found)) return null;
          if (found.at === 'missing') {
            missing += 1;
            return missingJudgement(found.path, missing);
          }
          const by = (await repair?.(found, after, looks)) ?? 'agent';
          if (by === 'agent') return invalidJudgement(found);
          if (by !== 'again') return { failure: by.givenUp, of: { left: 'given up' } };
        }
      },
      // A turn that failed by itself was not judged: nobody looked at what it left.
      progress: ({ text }, after) =>
        Promise.resolve(digest(seen.last?.after === after ? plain(seen.last.found) : text)),
      healWords: (failed, task) => {
        const path = missingIn(failed);
        return path === null ? healWords(task, failed) : reminder(task, path);
      },
      startsAnew: (failed) => missingIn(failed) !== null,
    });
    if (end.failure !== null) return { at: 'failed', failure: end.failure };
  } catch (error) {
    // A refused or lost launch ends the document with a sentence, not the workflow with an exception.
    if (error instanceof StepFailed) return { at: 'failed', failure: error.failure };
    throw error;
  }
  const found = seen.last?.found;
  if (found === undefined || isWrong(found)) throw new Error(`what ${work.id} left was not looked at`);
  return { at: 'done', value: found };
}

function isWrong<Right extends { readonly at: string }>(
  found: Right | WrongDocument,
): found is WrongDocument {
  return found.at === 'missing' || found.at === 'invalid';
}

/** Told once, explicitly; who does not do it then will not do it the third time. */
function missingJudgement(path: string, missing: number): Judgement {
  const message = problemOfDocument({ at: 'missing', path });
  const of = { missing };
  if (missing === 1) return { failure: failure('no-result', message, { evidence: { missing: path } }), of };
  const again = `${message}, although it was started again and reminded`;
  return { failure: failure('no-result', again, { outcome: 'NEEDS_ESCALATION' }), of };
}

function invalidJudgement(found: InvalidDocument): Judgement {
  const evidence = { output: found.problems.join('\n') };
  return { failure: failure('gate', problemOfDocument(found), { evidence }), of: { left: found.left } };
}

/** Where the agent should have written; null: that was not what went wrong. */
function missingIn({ reason, evidence }: Failure): string | null {
  const path = textMember(evidence, 'missing');
  return reason === 'no-result' && path !== '' ? path : null;
}
