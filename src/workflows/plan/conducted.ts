import type { Ctx } from '../../kernel/ctx.ts';
import { keyOf } from '../../model/key.ts';
import { isAtLeast, phaseAgents } from '../../model/plan/phase.ts';
import type { CheckedArtifact, ValidArtifact } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { ArtifactName, PlanVerdict } from '../../model/plan/plan-record.ts';
import type { StoredPlan } from '../../model/plan/planning-operations.ts';
import { isByPerson } from '../../model/run.ts';
import type { DocumentEnd } from '../../kernel/write-document.ts';
import { refusalReasons } from './people-words.ts';
import { phaseWork, type PhaseWork } from './phase-work.ts';

/** The work of an agent that writes an artifact. */
export type ArtifactWork = Omit<PhaseWork<ValidArtifact>, 'made'>;

/**
 * A plan that somebody has conducted by hand so far, with the state commands: what passed there is taken as it is, and the
 * agents begin where it ends. After the first thing that is not so, the rest has to be made again.
 */
export class Conducted {
  readonly #ctx: Ctx;
  readonly #input: PlanInput;
  readonly #stored: StoredPlan;
  #isIntact = true;

  constructor(ctx: Ctx, input: PlanInput, stored: StoredPlan) {
    this.#ctx = ctx;
    this.#input = input;
    this.#stored = stored;
  }

  /** The artifact as it stands, or as its agent makes it. */
  async pass(artifact: ArtifactName, work: ArtifactWork): Promise<DocumentEnd<CheckedArtifact>> {
    const made = this.#stored.made[artifact] ?? null;
    // Tasks that were refused for a reason are made again.
    const isRefused = refusalReasons(this.#input, work.phase).length > 0;
    const digest = isRefused ? undefined : this.#input.conducted[artifact];
    if (this.#isIntact && made === null && digest !== undefined) {
      const key = keyOf(`${work.id}/standing`, { digest, round: this.#input.round });
      const found = await work.check.look(this.#ctx, key, null);
      // One that was edited since is taken too, but what was made from it must be made again.
      this.#isIntact = found.at === 'valid' && found.digest === digest;
      if (found.at === 'valid') return { at: 'done', value: found };
    }
    this.#isIntact = false;
    return phaseWork(this.#ctx, this.#input, { ...work, made });
  }

  /** What a verifier or a person has said of exactly these tasks, if they were let through. No other agent's word counts. */
  verdictOn(tasks: CheckedArtifact): PlanVerdict | null {
    const { verdict } = this.#stored;
    if (verdict !== null && verdict.by !== phaseAgents.validation && !isByPerson(verdict.by)) return null;
    const holds = this.#isIntact && verdict?.tasks === tasks.digest && verdict.verdict !== 'BLOCKED';
    return holds ? verdict : null;
  }

  /** The tasks have been put in order. */
  isSequenced(): boolean {
    return this.#isIntact && isAtLeast(this.#stored.phase, 'ready');
  }
}
