import * as z from 'zod';
import { type Json, plain } from '../../lib/json.ts';
import type { Question } from '../question.ts';
import type { AgentResult } from '../turn.ts';
import { filledText, list, oneOf, text, wanted } from './basic-shapes.ts';
import { usageMembers, usageOf } from './usage.ts';

type Account = Pick<AgentResult, 'status' | 'summary'>;

const question = z.union(
  [
    filledText(),
    z.looseObject({
      text: filledText(),
      options: list(filledText(), 'a list of offered answers').optional(),
    }),
  ],
  wanted('the text of a question, or a mapping with text and options'),
);

/** `result.json`: the agent's own account. Agents may tell more than is asked; members not known are left alone. */
export const agentResultForm = z.looseObject(
  {
    status: oneOf(['success', 'failed', 'blocked', 'needs_refinement', 'needs_escalation']),
    summary: text().optional(),
    artifacts: list(filledText('a path'), 'a list of paths').optional(),
    notes: list(z.unknown(), 'a list of notes').optional(),
    questions: list(question, 'a list of questions').optional(),
    usage: z
      .looseObject(usageMembers, wanted('a mapping with input_tokens, output_tokens, cost_usd'))
      .nullable()
      .optional(),
  },
  wanted('a JSON object with at least a status'),
);

/** The questions of a result in a form of its caller's; none where they are not in Tutti's form. */
export function questionsIn(result: Json): readonly Question[] {
  const asked = z.looseObject({ questions: list(question, 'a list of questions') }).safeParse(result);
  return asked.success ? asked.data.questions.map(questionOf) : [];
}

/** The questions for a person: those of the agent. A blocked agent without one asks with its summary, so that the run waits. */
export function withBlocker(
  { status, summary }: Account,
  questions: readonly Question[],
): readonly Question[] {
  if (status !== 'blocked' || questions.length > 0) return questions;
  const reason = summary.trim();
  const words =
    reason === ''
      ? 'The agent is blocked and gives no reason. What should it do?'
      : `The agent is blocked: ${reason}`;
  return [{ text: words }];
}

export function agentResultOf(form: z.output<typeof agentResultForm>): AgentResult {
  const account = { status: form.status, summary: form.summary ?? '' };
  return {
    ...account,
    artifacts: form.artifacts ?? [],
    notes: (form.notes ?? []).map((note): Json => plain(note)),
    questions: withBlocker(account, (form.questions ?? []).map(questionOf)),
    usage: form.usage === undefined || form.usage === null ? null : usageOf(form.usage),
  };
}

function questionOf(form: z.output<typeof question>): Question {
  if (typeof form === 'string') return { text: form };
  return form.options === undefined ? { text: form.text } : { text: form.text, options: form.options };
}
