import type { Ctx } from '../../kernel/ctx.ts';
import { keyOf } from '../../model/key.ts';
import type { CheckedArtifact, ValidArtifact } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { sequencingNote } from './notes.ts';
import { PhaseEdits } from './phase-edits.ts';
import { artifactCheck, phaseWork, type PhaseCheck } from './phase-work.ts';
import type { DocumentEnd } from '../../kernel/write-document.ts';
import { sequencingPrompt } from './prompts.ts';

/** The auditor gives each task its phase. An edit that leaves the graph as it was needs no other phases. */
export class Sequencing {
  readonly #ctx: Ctx;
  readonly #input: PlanInput;
  /** Digest of the tasks as their author left them. */
  readonly #first: string;
  /** Somebody has put them in order before any agent of ours. */
  readonly #isSequenced: boolean;
  /** How often tasks of this shape were put in order. */
  readonly #times = new Map<string, number>();
  /** Tasks whose phase a person left to the auditor in this round. */
  readonly #given = new Set<string>();
  /** Digest of the tasks when they were last put in order in this round. */
  #ordered: string | null = null;

  constructor(ctx: Ctx, input: PlanInput, first: string, isSequenced: boolean) {
    this.#ctx = ctx;
    this.#first = first;
    this.#isSequenced = isSequenced;
    this.#input = input;
  }

  async pass(tasks: CheckedArtifact): Promise<DocumentEnd<CheckedArtifact>> {
    const shape = tasks.tasks?.shape ?? '';
    const times = this.#times.get(shape) ?? 0;
    this.#times.set(shape, times + 1);
    const works = tasks.tasks?.works ?? {};
    const { before } = this.#input;
    const check = artifactCheck(this.#input, {
      artifact: 'tasks',
      phase: 'sequencing',
      before: before.tasks ?? null,
      works,
      verified: tasks.digest,
    });
    const same = this.#ordered ?? before.tasks ?? null;
    const around = { same, as: tasks.digest, since: this.#ordered ?? this.#first };
    const edits = new PhaseEdits(this.#ctx, this.#input, around, this.#given);
    const standing =
      times > 0 || this.#isSequenced ? await this.#look(tasks, { times, shape, check, edits }) : null;
    if (standing !== null) return standing;
    const id = times === 0 ? 'sequencing' : `sequencing/again-${times}`;
    const ordered = await phaseWork(this.#ctx, this.#input, {
      phase: 'sequencing',
      id,
      prompt: sequencingPrompt(this.#input),
      upstream: { shape },
      note: same === null ? '' : sequencingNote(tasks),
      settle: (after) => edits.settle(id, after),
      repair: (found, after, looks) => edits.repair(id, found, after, looks),
      check,
    });
    if (ordered.at === 'done') this.#ordered = ordered.value.digest;
    return ordered;
  }

  /** The order that these tasks have already; null: the auditor gives them another one. */
  async #look(
    tasks: CheckedArtifact,
    {
      times,
      shape,
      check,
      edits,
    }: {
      readonly times: number;
      readonly shape: string;
      readonly check: PhaseCheck<ValidArtifact>;
      readonly edits: PhaseEdits;
    },
  ): Promise<DocumentEnd<CheckedArtifact> | null> {
    const { round } = this.#input;
    const works = tasks.tasks?.works ?? {};
    const id = `sequencing/look-${times}`;
    for (let looks = 0; ; looks += 1) {
      const again = looks === 0 ? {} : { looks };
      const key = keyOf(id, { shape, works, round, digest: tasks.digest, ...again });
      const found = await check.look(this.#ctx, key, null);
      if (found.at === 'valid') {
        this.#ordered = found.digest;
        return { at: 'done', value: found };
      }
      if (found.at === 'missing') return null;
      const by = await edits.repair(id, found, key, looks);
      if (by === 'agent') return null;
      if (by !== 'again') return { at: 'failed', failure: by.givenUp };
    }
  }
}
