import { plain } from '../../lib/json.ts';
import { endSentence, withoutFullStop } from '../../lib/sentence.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import type { CheckedArtifact } from '../../model/plan/plan-check.ts';
import type { PlanVerdict } from '../../model/plan/plan-record.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Judged } from '../../model/plan/planning-operations.ts';
import { closed, type Question } from '../../model/question.ts';
import type { DocumentEnd } from '../../kernel/write-document.ts';
import { phaseWork } from './phase-work.ts';
import { planOperation } from './plan-operation.ts';
import { validationPrompt } from './prompts.ts';

export interface Verified {
  readonly tasks: CheckedArtifact;
  readonly verdict: Judged;
}

export const verifyAgain = 'verify again';

/**
 * The verifier's word on the tasks, until it lets them pass: BLOCKED is a question, because only a person knows whether to
 * fix the tasks, to accept them as they are, or to give up.
 */
export class Verification {
  readonly #ctx: Ctx;
  readonly #input: PlanInput;
  /** Of what earlier phases made: the same tasks for other wishes are other tasks. */
  readonly #capabilities: string;
  /** How often each work was judged, and what was said last. */
  readonly #judged = new Map<string, { readonly times: number; readonly verdict: Judged }>();
  readonly #standing: PlanVerdict | null;
  #asked = 0;
  #recorded = 0;

  /** `standing`: what was said of these tasks before any agent of ours. */
  constructor(ctx: Ctx, input: PlanInput, capabilities: string, standing: PlanVerdict | null) {
    this.#ctx = ctx;
    this.#input = input;
    this.#capabilities = capabilities;
    this.#standing = standing;
  }

  /** `known`: what was said of this very work before holds. */
  async pass(tasks: CheckedArtifact, how: 'known' | 'again' = 'known'): Promise<DocumentEnd<Verified>> {
    if (this.#standing?.tasks === tasks.digest) {
      const { verdict, summary, issues } = this.#standing;
      return { at: 'done', value: { tasks, verdict: { at: 'judged', verdict, summary, issues } } };
    }
    const before = this.#judged.get(tasks.content);
    const times = before?.times ?? 0;
    if (before !== undefined && how === 'known' && before.verdict.verdict !== 'BLOCKED') {
      return this.#record(tasks, before.verdict);
    }
    const judged = await this.#judge(tasks, times);
    if (judged.at === 'failed') return judged;
    this.#judged.set(tasks.content, { times: times + 1, verdict: judged.value });
    const recorded = await this.#record(tasks, judged.value);
    return judged.value.verdict === 'BLOCKED' ? this.#blocked(tasks, judged.value, null) : recorded;
  }

  async #judge(tasks: CheckedArtifact, times: number): Promise<DocumentEnd<Judged>> {
    const id = times === 0 ? 'validation' : `validation/again-${times}`;
    const upstream = { tasks: tasks.content, capabilities: this.#capabilities };
    const { plan } = this.#input;
    return phaseWork(this.#ctx, this.#input, {
      phase: 'validation',
      id,
      prompt: validationPrompt(this.#input),
      upstream,
      note: '',
      // Only what this verifier says counts, not what one before it left.
      begin: 'plan-verdict-begin',
      // The file says what the last verifier said; what this one said was seen when its turn ended.
      check: {
        about: {},
        each: 'turn',
        look: (ctx, key) => planOperation(ctx, this.#input, key, 'plan-verdict-check', { plan }),
      },
    });
  }

  async #record(tasks: CheckedArtifact, verdict: Judged): Promise<DocumentEnd<Verified>> {
    this.#recorded += 1;
    const { plan, round } = this.#input;
    const key = keyOf(
      `validation/record-${this.#recorded}`,
      plain({ tasks: tasks.digest, verdict, round, asked: this.#asked }),
    );
    await planOperation(this.#ctx, this.#input, key, 'plan-verdict-record', { plan, verdict });
    return { at: 'done', value: { tasks, verdict } };
  }

  async #blocked(
    tasks: CheckedArtifact,
    verdict: Judged,
    trouble: string | null,
  ): Promise<DocumentEnd<Verified>> {
    this.#asked += 1;
    const n = this.#asked;
    const key = keyOf(`validation/blocked-${n}`, plain({ tasks: tasks.content, verdict, trouble }));
    const { text, by } = await this.#ctx.ask(key, this.#question(verdict, trouble));
    const said = text.trim().toLowerCase();
    if (said === 'abort') return { at: 'failed', failure: aborted(verdict, by) };
    if (said === 'accept') {
      const accepted: Judged = {
        ...verdict,
        verdict: 'READY_WITH_NOTES',
        summary: `accepted by ${by}: ${verdict.summary}`,
      };
      const times = this.#judged.get(tasks.content)?.times ?? 0;
      this.#judged.set(tasks.content, { times, verdict: accepted });
      return this.#record(tasks, accepted);
    }
    const { plan, round, before } = this.#input;
    const found = await planOperation(
      this.#ctx,
      this.#input,
      keyOf(`validation/look-${n}`, { after: key, round }),
      'plan-check',
      { plan, artifact: 'tasks', phase: 'definition', before: before.tasks ?? null },
    );
    if (found.at === 'valid') return this.pass(found, 'again');
    const words = found.at === 'missing' ? `${found.path} is not there` : found.problems.join('\n');
    return this.#blocked(tasks, verdict, words);
  }

  #question({ summary, issues }: Judged, trouble: string | null): Question {
    const report = `${this.#input.planDir}/reports/task-validation-report.md`;
    const text =
      trouble === null
        ? `The verifier blocks the plan: ${endSentence(summary)}${issueWords(issues)}`
        : `The tasks are not valid as they are now: ${endSentence(trouble.split('\n')[0] ?? '')}`;
    return {
      text: `${text} Fix the task files, then answer '${verifyAgain}'. The report: ${report}`,
      options: [verifyAgain, 'accept', 'abort'],
      closed,
      evidence: plain({ summary, issues, report, problems: trouble }),
      step: 'validation',
      agent: 'task-plan-verifier',
    };
  }
}

const maxIssues = 10;

/** The reasons belong to the question: a person decides by them. */
function issueWords(issues: readonly string[]): string {
  const named = issues.slice(0, maxIssues).map((issue, at) => ` (${at + 1}) ${withoutFullStop(issue)}`);
  const rest = issues.length > maxIssues ? ` and ${issues.length - maxIssues} more in the report` : '';
  return issues.length === 0 ? '' : endSentence(` Its issues:${named.join(';')}${rest}`);
}

function aborted({ summary }: Judged, by: string): Failure {
  return failure('gate', `the tasks are blocked, and ${by} gave up: ${summary}`, {
    outcome: 'NEEDS_REFINEMENT',
  });
}
