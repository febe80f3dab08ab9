import { plain } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { keyOf } from '../../model/key.ts';
import type { CheckedArtifact, PlanCheck } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { settleSequencing } from './hand-edits.ts';
import { sequencingNote } from './notes.ts';
import { hostTask, phaseWork, type PhaseEnd } from './phase-work.ts';
import { sequencingPrompt } from './prompts.ts';

/** The auditor gives each task its phase. An edit that leaves the graph as it was needs no other phases. */
export class Sequencing {
  readonly #ctx: Ctx;
  readonly #input: PlanInput;
  /** Somebody has put them in order before any agent of ours. */
  readonly #isSequenced: boolean;
  /** How often tasks of this shape were put in order. */
  readonly #times = new Map<string, number>();
  /** Digest of the tasks when they were last put in order in this round. */
  #ordered: string | null = null;

  constructor(ctx: Ctx, input: PlanInput, isSequenced: boolean) {
    this.#ctx = ctx;
    this.#isSequenced = isSequenced;
    this.#input = input;
  }

  async pass(tasks: CheckedArtifact): Promise<PhaseEnd<CheckedArtifact>> {
    const shape = tasks.tasks?.shape ?? '';
    const times = this.#times.get(shape) ?? 0;
    this.#times.set(shape, times + 1);
    const works = plain(tasks.tasks?.works ?? {});
    const { before, round } = this.#input;
    const args = {
      artifact: 'tasks',
      phase: 'sequencing',
      before: before.tasks ?? null,
      works,
      verified: tasks.digest,
    };
    if (times > 0 || this.#isSequenced) {
      const key = keyOf(`sequencing/look-${times}`, { shape, works, round, digest: tasks.digest });
      const found = await hostTask<PlanCheck>(this.#ctx, this.#input, key, 'plan-check', args);
      if (found.at === 'valid') {
        this.#ordered = found.digest;
        return { at: 'done', value: found };
      }
    }
    const id = times === 0 ? 'sequencing' : `sequencing/again-${times}`;
    const between = { ordered: this.#ordered ?? before.tasks ?? null, verified: tasks.digest };
    const ordered = await phaseWork<PlanCheck>(this.#ctx, this.#input, {
      phase: 'sequencing',
      id,
      prompt: sequencingPrompt(this.#input),
      upstream: { shape },
      note: between.ordered === null ? '' : sequencingNote(tasks),
      settle: (after) => settleSequencing(this.#ctx, this.#input, { id, after }, between),
      check: { name: 'plan-check', args, each: 'round' },
    });
    if (ordered.at === 'done') this.#ordered = ordered.value.digest;
    return ordered;
  }
}
