import { type JsonObject, plain } from '../lib/json.ts';
import { keyOf } from '../model/key.ts';
import type { Question } from '../model/question.ts';
import type { Ctx } from './ctx.ts';

/** A person's word on what was shown. */
export interface PersonsWord {
  readonly said: 'approved' | 'refused' | 'edited';
  readonly reason: string | null;
  /** As it was answered. */
  readonly text: string;
  readonly by: string;
  readonly at: number;
}

/** Asks a person whether something counts as it is. Whatever is neither a yes nor an edit is a no. */
export async function askApproval(ctx: Ctx, key: string, question: Question): Promise<PersonsWord> {
  const { text, by, at } = await ctx.ask(key, question);
  const [, word = '', rest = ''] = /^([^\s:]*)[\s:]*(.*)$/s.exec(text.trim()) ?? [];
  const given = { text, by, at, reason: filled(rest) };
  if (/^(?:approved?|y|yes|ok)$/i.test(word)) return { said: 'approved', ...given };
  if (/^edit(?:ed)?$/i.test(word)) return { said: 'edited', ...given };
  const isNo = /^(?:refused?|n|no)$/i.test(word);
  return { said: 'refused', ...given, reason: isNo ? given.reason : filled(text.trim()) };
}

function filled(text: string): string | null {
  return text === '' ? null : text;
}

/** What is recorded of an approval. */
type SaidOnce = Pick<PersonsWord, 'reason' | 'by' | 'at'> & { readonly said: 'approved' | 'refused' };

/** A document as it is, before the person who decides on it. */
export interface ApprovalRequest {
  /** Of the step that asks: `approval`, `approval/again-1`. */
  readonly id: string;
  /** Its digest: what is said counts for exactly this. */
  readonly about: JsonObject;
  /** Which start of the workflow this is: what stands is looked up in each. */
  readonly round: number;
  /** Who has approved in advance; null: a person is asked. */
  readonly inAdvance: string | null;
  readonly question: Question;
  /** What was said of it before; null: nothing. */
  readonly standing: (key: string) => Promise<Pick<SaidOnce, 'said' | 'at'> | null>;
  /** Whether the document is still what was shown: a yes counts for nothing else. */
  readonly isStill: (key: string) => Promise<boolean>;
  readonly record: (key: string, said: SaidOnce) => Promise<unknown>;
}

export type Approved =
  | { readonly at: 'approved' }
  | { readonly at: 'refused'; readonly by: string; readonly reason: string }
  /** The person has edited it: it must be looked at again. */
  | { readonly at: 'edited'; readonly after: string };

/**
 * A person's word on exactly this document. Who approved it once is not asked again, unless it was refused since: then
 * neither an earlier answer nor an approval in advance counts, and a new question is asked.
 */
export async function approveDocument(ctx: Ctx, request: ApprovalRequest): Promise<Approved> {
  const { id, about, round, inAdvance } = request;
  const standing = await request.standing(keyOf(`${id}/standing`, { ...about, round }));
  if (standing?.said === 'approved') return { at: 'approved' };
  const isRefused = standing?.said === 'refused';
  const record = async (said: SaidOnce): Promise<Approved> => {
    await request.record(keyOf(`${id}/record`, plain({ ...about, approved: said, round })), said);
    if (said.said === 'approved') return { at: 'approved' };
    return { at: 'refused', by: said.by, reason: said.reason ?? '' };
  };
  if (inAdvance !== null && !isRefused) {
    const at = await ctx.now(keyOf(`${id}/now`, about));
    return record({ said: 'approved', reason: 'in advance', by: inAdvance, at });
  }
  const key = keyOf(isRefused ? `${id}/since-${standing.at}` : id, about);
  const { text } = request.question;
  // Whoever refused it expects other work, and would not see that there is none.
  const question = isRefused
    ? { ...request.question, text: `Unchanged since the refusal. ${text}` }
    : request.question;
  const { said, reason, by, at } = await askApproval(ctx, key, question);
  if (said === 'edited') return { at: 'edited', after: key };
  const isStill = said === 'refused' || (await request.isStill(keyOf(`${id}/still`, { ...about, round })));
  return isStill ? record({ said, reason, by, at }) : { at: 'edited', after: key };
}

/** What is done with a document until a person approves it. */
export interface Review<Doc, Ready extends { readonly digest: string }, Failed> {
  /** Verifies and completes it; `edited`: a person changed it meanwhile. */
  readonly prepare: (doc: Doc, edits: number) => Promise<Reviewed<Doc, Failed> | ReadyDocument<Ready>>;
  /** `times`: how often exactly this was shown before. */
  readonly approve: (ready: Ready, times: number) => Promise<Approved>;
  /** The document as the person left it. */
  readonly reread: (after: string, edits: number) => Promise<Reviewed<Doc, Failed>>;
}

interface ReadyDocument<Ready> {
  readonly at: 'ready';
  readonly ready: Ready;
}

type Reviewed<Doc, Failed> =
  | { readonly at: 'edited'; readonly doc: Doc }
  | { readonly at: 'failed'; readonly value: Failed };

type ReviewEnd<Ready, Failed> =
  | { readonly at: 'failed'; readonly value: Failed }
  | { readonly at: 'said'; readonly ready: Ready; readonly said: Exclude<Approved, { at: 'edited' }> };

/** A person may edit a document instead of approving it; what comes of it is verified and shown again. */
export async function untilApproved<Doc, Ready extends { readonly digest: string }, Failed>(
  first: Doc,
  { prepare, approve, reread }: Review<Doc, Ready, Failed>,
): Promise<ReviewEnd<Ready, Failed>> {
  const shown = new Map<string, number>();
  let doc = first;
  for (let edits = 1; ; edits += 1) {
    const prepared = await prepare(doc, edits);
    if (prepared.at === 'failed') return prepared;
    if (prepared.at === 'edited') {
      ({ doc } = prepared);
      continue;
    }
    const { ready } = prepared;
    const times = shown.get(ready.digest) ?? 0;
    shown.set(ready.digest, times + 1);
    const said = await approve(ready, times);
    if (said.at !== 'edited') return { at: 'said', ready, said };
    const edited = await reread(said.after, edits);
    if (edited.at === 'failed') return edited;
    ({ doc } = edited);
  }
}
