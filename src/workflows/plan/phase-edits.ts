import { plain } from '../../lib/json.ts';
import { endSentence } from '../../lib/sentence.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import type { Repair } from '../../kernel/write-document.ts';
import type { InvalidDocument } from '../../model/document.ts';
import { keyOf } from '../../model/key.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { closed } from '../../model/question.ts';
import type { PhasesArgs } from '../../model/plan/planning-operations.ts';
import { editsGivenUp } from './phase-work.ts';
import { planOperation } from './plan-operation.ts';

/** Digests of the tasks around a turn of the auditor. */
export interface AroundAuditor {
  /** When they were last put in order; null: they never were. */
  readonly same: string | null;
  /** As the auditor gets them. */
  readonly as: string;
  /** As agents left them before that in this round. */
  readonly since: string;
}

/** Phases that people and the auditor both have a hand in. */
export class PhaseEdits {
  readonly #ctx: Ctx;
  readonly #input: PlanInput;
  /** Tasks whose phase a person leaves to the auditor. */
  readonly #given: Set<string>;
  #around: AroundAuditor;

  constructor(ctx: Ctx, input: PlanInput, around: AroundAuditor, given: Set<string>) {
    this.#ctx = ctx;
    this.#input = input;
    this.#around = around;
    this.#given = given;
  }

  /** After the auditor's turn: the same work keeps its phase, and so does a task whose phase a person chose. */
  async settle(id: string, after: string): Promise<void> {
    // Once for each turn: later edits of people are not put back.
    const key = keyOf(`${id}/settle`, { after });
    const args = { ...this.#request(), edits: {}, sequenced: true } as const;
    await planOperation(this.#ctx, this.#input, key, 'plan-edits-settle', args);
  }

  /** Phases that do not pass: where a person chose them, that person says who changes them. */
  async repair(id: string, found: InvalidDocument, after: string, looks: number): Promise<Repair> {
    const { problems } = found;
    const { plan, round } = this.#input;
    const seen = plain({ after, round, looks, problems });
    const { contested, as } = await planOperation(
      this.#ctx,
      this.#input,
      keyOf(`${id}/contested`, seen),
      'plan-phases-contested',
      this.#request(),
    );
    // After the first look only a person has changed anything.
    if (contested.length === 0 && looks === 0) return 'agent';
    const { text } = await this.#ctx.ask(keyOf(`${id}/phases`, seen), {
      text: `Plan ${plan}: ${endSentence(misfitWords(contested, problems))} Change only phases, then answer 'edited'; or let the auditor choose.`,
      options: ['edited', 'auditor', 'abort'],
      closed,
      evidence: plain({ tasks: contested, problems, round }),
      step: 'sequencing',
    });
    const said = text.trim().toLowerCase();
    if (said === 'edited') return 'again';
    if (said !== 'auditor') return { givenUp: editsGivenUp(found) };
    for (const task of contested) this.#given.add(task);
    if (as !== null) this.#around = { ...this.#around, as };
    return 'agent';
  }

  #request(): PhasesArgs {
    const { plan, hand } = this.#input;
    return { plan, ...this.#around, chosen: hand?.phases ?? {}, given: [...this.#given] };
  }
}

function misfitWords(contested: readonly string[], problems: readonly string[]): string {
  const named = problems.find((problem) => contested.some((id) => problem.includes(id)));
  const words = named ?? problems[0] ?? '';
  return contested.length === 0
    ? `the edited tasks are not valid: ${words}`
    : `the phase that you gave ${contested.join(', ')} does not fit: ${words}`;
}
