import { firstFew } from '../../lib/first-few.ts';
import { visibleLine } from '../../lib/visible-text.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import { undeclaredPaths } from '../../model/plan/claim.ts';
import { closed } from '../../model/question.ts';
import type { TaskJob } from './task-job.ts';

const named = 20;

/**
 * Files outside the declared ones never land silently: a person, or the policy that a person set, says what becomes of
 * them. What was accepted once is declared from then on. Null: there is nothing in the way.
 */
export async function undeclaredFiles(
  ctx: Ctx,
  job: TaskJob,
  paths: readonly string[],
  after: string,
): Promise<Failure | null> {
  const { place, widened } = job;
  const { files } = place.entry.task;
  const beyond = undeclaredPaths(paths, new Set([...files.map(({ path }) => path), ...widened]));
  if (beyond.length === 0) return null;
  const shown = firstFew(beyond.map(visibleLine), named);
  const evidence = { category: 'validation', output: beyond.join('\n') };
  const { undeclared } = place.input;
  const said = undeclared === 'ask' ? await asked(ctx, job, beyond, shown, after) : undeclared;
  if (said === 'accept') {
    for (const path of beyond) widened.add(path);
    job.notes.push(`files beyond the declared ones were accepted: ${shown}`);
    return null;
  }
  const message = `it wrote files that it does not declare: ${shown}`;
  if (said === 'heal') return failure('gate', `${message}; leave them as they were`, { evidence });
  return failure('gate', message, { outcome: 'NEEDS_ESCALATION', evidence });
}

async function asked(
  ctx: Ctx,
  { place, bundle }: TaskJob,
  beyond: readonly string[],
  shown: string,
  after: string,
): Promise<'accept' | 'refuse' | 'heal'> {
  const { id, identity, input } = place;
  const { text } = await ctx.ask(keyOf(`${id}/widen`, { identity, after, beyond }), {
    text: `${id} wrote files that it does not declare: ${shown}. May they land with it?`,
    options: ['accept', 'refuse', 'heal'],
    closed,
    evidence: { paths: beyond, declared: bundle.files.map(({ path }) => path) },
    step: id,
    agent: input.agents.executor.name,
  });
  const word = text.trim().toLowerCase();
  if (/^(accept|yes|y)$/.test(word)) return 'accept';
  return word === 'heal' ? 'heal' : 'refuse';
}
