import type { Ctx } from '../../kernel/ctx.ts';
import { keyOf } from '../../model/key.ts';
import type { CheckedArtifact } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { settleSequencing } from './hand-edits.ts';
import { sequencingNote } from './notes.ts';
import { artifactCheck, phaseWork, type PhaseEnd } from './phase-work.ts';
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
    const works = tasks.tasks?.works ?? {};
    const { before, round } = this.#input;
    const check = artifactCheck(this.#input, {
      artifact: 'tasks',
      phase: 'sequencing',
      before: before.tasks ?? null,
      works,
      verified: tasks.digest,
    });
    if (times > 0 || this.#isSequenced) {
      const key = keyOf(`sequencing/look-${times}`, { shape, works, round, digest: tasks.digest });
      const found = await check.look(this.#ctx, key, null);
      if (found.at === 'valid') {
        this.#ordered = found.digest;
        return { at: 'done', value: found };
      }
    }
    const id = times === 0 ? 'sequencing' : `sequencing/again-${times}`;
    const between = { ordered: this.#ordered ?? before.tasks ?? null, verified: tasks.digest };
    const ordered = await phaseWork(this.#ctx, this.#input, {
      phase: 'sequencing',
      id,
      prompt: sequencingPrompt(this.#input),
      upstream: { shape },
      note: between.ordered === null ? '' : sequencingNote(tasks),
      settle: (after) => settleSequencing(this.#ctx, this.#input, { id, after }, between),
      check,
    });
    if (ordered.at === 'done') this.#ordered = ordered.value.digest;
    return ordered;
  }
}
