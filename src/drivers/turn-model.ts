import type { SessionSpec, Tier } from '../model/turn.ts';
import type { CliFacts } from './cli-facts.ts';

type Models = Readonly<Partial<Record<Tier, string>>>;

/** The model that the agent's file names, where the CLI has it; otherwise the tier's. Undefined: the CLI's own default. */
export function modelFor(
  cli: CliFacts | null,
  models: Models,
  { model, tier }: Pick<SessionSpec, 'model' | 'tier'>,
): string | undefined {
  return model === undefined || cli?.knowsModel(model) !== true ? models[tier] : model;
}
