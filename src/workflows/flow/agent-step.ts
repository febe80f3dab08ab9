import { digest } from '../../lib/digest.ts';
import { plain, recorded } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { mayRetry, type FailedTry } from '../../kernel/retry.ts';
import { sessionThroughLimits } from '../../kernel/through-limits.ts';
import type { AgentSnapshot, FlowWork } from '../../model/flow.ts';
import { answersPrompt, healPrompt } from '../../model/heal-prompt.ts';
import { keyOf } from '../../model/key.ts';
import type { Answer, Question } from '../../model/question.ts';
import { failureOfTurn, workflowHandoff, type SessionSpec, type TurnOutcome } from '../../model/turn.ts';
import { passGates } from './gates.ts';
import { identityOf, inputDigest, optionsOf, workspaceOf, type StepPlace } from './place.ts';
import { outcomeOfVerdict, type StepVerdict } from './verdict.ts';

/** An agent that only ever asks is not getting anywhere. */
const maxQuestionRounds = 3;

interface Turn {
  readonly id: string;
  readonly prompt: string;
  readonly number: number;
  readonly continues: string | null;
  readonly conversation: string | null;
}

/**
 * One agent, until its work passes its gates: a turn, then the gates; a failure becomes the prompt of a healing turn in
 * the same conversation, a question goes to a person and its answer becomes the next turn.
 */
export async function agentStep(
  ctx: Ctx,
  place: StepPlace,
  work: Extract<FlowWork, { kind: 'agent' }>,
): Promise<StepVerdict> {
  const { step, input } = place;
  const agent = input.agents[work.agent];
  if (agent === undefined) throw new Error(`the run has no snapshot of agent '${work.agent}'`);
  const identity = plain({ ...identityOf(place, await inputDigest(ctx, place)), agent, prompt: work.prompt });
  const tries: FailedTry[] = [];
  let questions = 0;
  let turn: Turn = { id: step.id, prompt: work.prompt, number: 1, continues: null, conversation: null };
  for (;;) {
    const key = keyOf(turn.id, { identity, prompt: turn.prompt });
    const ended = await sessionThroughLimits(ctx, key, specOf(place, agent, turn));
    const { sessionId: continues, conversation } = ended;
    const next = { number: turn.number + 1, continues, conversation };
    const asked = ended.result?.questions ?? [];
    if (asked.length > 0 && questions < maxQuestionRounds) {
      questions += 1;
      const answers = await askAll(ctx, place, key, questions, asked);
      turn = { ...next, id: `${step.id}/answer-${questions}`, prompt: answersPrompt(work.prompt, answers) };
      continue;
    }
    const failed = failureOfTurn(ended) ?? (await passGates(ctx, place, key, ended.toolCalls)).failure;
    if (failed === null) return verdictStep(ctx, place, key, await successOf(ctx, place, key, ended));
    tries.push({ failure: failed, progress: await progressOf(ctx, place, key, ended) });
    const decision = mayRetry(tries, step.retryMax);
    if (decision.verdict === 'give-up') {
      return verdictStep(ctx, place, key, { at: 'failed', id: step.id, failure: decision.failure });
    }
    turn = { ...next, id: `${step.id}/heal-${tries.length}`, prompt: healPrompt(work.prompt, failed) };
  }
}

function specOf(place: StepPlace, agent: AgentSnapshot, turn: Turn): SessionSpec {
  const { timeoutMs } = place.step;
  const options = optionsOf(place, turn.number === 1 ? 'first' : 'later', timeoutMs);
  return {
    agent: agent.name,
    driver: agent.driver,
    tier: agent.tier,
    systemPrompt: agent.systemPrompt,
    prompt: turn.prompt,
    workspace: workspaceOf(place),
    turn: turn.number,
    continues: turn.continues,
    conversation: turn.conversation,
    result: agent.result,
    timeoutMs: timeoutMs ?? place.input.sessionTimeoutMs,
    priority: options.priority ?? 0,
    handoff: workflowHandoff,
  };
}

/** Dependents stand on what the step produced, so the contents of its artifacts count and not only their names. */
async function successOf(
  ctx: Ctx,
  place: StepPlace,
  after: string,
  { result, text }: TurnOutcome,
): Promise<StepVerdict> {
  const { id } = place.step;
  const summary = result?.summary ?? text;
  const artifacts = [...(result?.artifacts ?? [])];
  const contents =
    artifacts.length === 0
      ? null
      : (
          await ctx.task(
            keyOf(`${id}/artifacts`, { after }),
            'digest',
            { globs: artifacts },
            optionsOf(place, 'later', null),
          )
        ).value;
  return { at: 'succeeded', id, summary, digest: digest([summary, contents]) };
}

async function askAll(
  ctx: Ctx,
  { step }: StepPlace,
  after: string,
  round: number,
  questions: readonly Question[],
): Promise<readonly { readonly question: string; readonly answer: Answer }[]> {
  return ctx.all(
    questions.map((question, index) => async (scope: Ctx) => {
      const id = `${step.id}/question-${round}${questions.length > 1 ? `-${index + 1}` : ''}`;
      const asked = { ...question, step: step.id };
      const answer = await scope.ask(keyOf(id, plain({ after, question })), asked);
      return { question: question.text, answer };
    }),
  );
}

/** What the turn left in the workspace: equal digests mean that nothing moved. */
async function progressOf(ctx: Ctx, place: StepPlace, after: string, ended: TurnOutcome): Promise<string> {
  const key = keyOf(`${place.step.id}/progress`, { after });
  const args = { artifacts: [...(ended.result?.artifacts ?? [])] };
  const { value } = await ctx.task(key, 'progress', args, optionsOf(place, 'later', null));
  return typeof value === 'string' ? value : '';
}

/**
 * Recorded under the step's own name, so that people see one end for its many parts. What it says is part of its key: a
 * gate that was edited judges the same turn anew, and must not find the old verdict.
 */
async function verdictStep(
  ctx: Ctx,
  { step }: StepPlace,
  after: string,
  verdict: StepVerdict,
): Promise<StepVerdict> {
  const key = keyOf(`${step.id}/verdict`, { after, verdict: plain(verdict) });
  const recordedVerdict = await ctx.step(key, () => plain(verdict), {
    outcome: () => outcomeOfVerdict(verdict),
  });
  return recorded<StepVerdict>(recordedVerdict);
}
