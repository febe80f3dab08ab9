import { plain } from '../../lib/json.ts';
import { endSentence } from '../../lib/sentence.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import type { Repair } from '../../kernel/write-document.ts';
import type { InvalidDocument } from '../../model/document.ts';
import { keyOf } from '../../model/key.ts';
import { tasksOfPeople } from '../../model/plan/hand-edits.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { closed } from '../../model/question.ts';
import { editsGivenUp } from './phase-work.ts';
import { planOperation } from './plan-operation.ts';

const keepMine = 'keep mine';

/** What people and the author of the tasks both have a hand in. */
export class TaskEdits {
  readonly #ctx: Ctx;
  readonly #input: PlanInput;
  /** The round in which each turn of the author ended. */
  readonly #rounds = new Map<string, number>();

  constructor(ctx: Ctx, input: PlanInput) {
    this.#ctx = ctx;
    this.#input = input;
  }

  /**
   * After the author's turn: what is the same work stays as it was, and a task that a person had edited is only taken from
   * that person with their consent.
   */
  async settle(after: string): Promise<void> {
    const { hand, round, plan } = this.#input;
    const key = keyOf('definition/round', { after });
    this.#rounds.set(after, await this.#ctx.step(key, () => Promise.resolve(round)));
    if (hand === undefined) return;
    const { base } = hand;
    // Once for each turn: later edits of people are not put back.
    const { overwritten } = await planOperation(
      this.#ctx,
      this.#input,
      keyOf('definition/settle', { after }),
      'plan-edits-settle',
      { plan, same: base, as: base, edits: tasksOfPeople(hand), sequenced: false },
    );
    if (overwritten.length === 0) return;
    const them = overwritten.length === 1 ? 'it' : 'them';
    const asked = keyOf('definition/edits', { after, overwritten });
    const { text } = await this.#ctx.ask(asked, {
      text: `Plan ${plan}: the author of the tasks changed ${overwritten.join(', ')}, and you had edited ${them}. Keep your version, or take the author's?`,
      options: [keepMine, 'take the new one'],
      closed,
      evidence: plain({ tasks: overwritten, files: overwritten.map((task) => `tasks/${task}.json`) }),
      step: 'definition',
    });
    if (text.trim().toLowerCase() !== keepMine) return;
    const kept = keyOf('definition/keep', { after: asked });
    await planOperation(this.#ctx, this.#input, kept, 'plan-edits-keep', { plan, base, ids: overwritten });
  }

  /**
   * Task files that do not pass although their author's turn ended in an earlier round: a person has edited them since, and
   * says who puts them right.
   */
  async repair(found: InvalidDocument, after: string, looks: number): Promise<Repair> {
    const { problems } = found;
    const { plan, round } = this.#input;
    if (this.#rounds.get(after) === round) return 'agent';
    const { text } = await this.#ctx.ask(keyOf('definition/invalid', { after, round, looks, problems }), {
      text: `Plan ${plan}: the edited tasks are not valid: ${endSentence(problems[0] ?? '')} Fix them, then answer 'edited'; or let their author repair them.`,
      options: ['edited', 'author', 'abort'],
      closed,
      evidence: plain({ problems }),
      step: 'definition',
    });
    const said = text.trim().toLowerCase();
    if (said === 'edited') return 'again';
    return said === 'author' ? 'agent' : { givenUp: editsGivenUp(found) };
  }
}
