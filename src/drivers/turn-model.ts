import type { SessionSpec } from '../model/turn.ts';
import type { CliDefinition, Models } from './cli-definition.ts';

/** The model that the agent's file names, where the CLI has it; otherwise the tier's. Undefined: the CLI's own default. */
export function modelFor(
  cli: CliDefinition | null,
  models: Models,
  { model, tier }: Pick<SessionSpec, 'model' | 'tier'>,
): string | undefined {
  return model === undefined || cli?.knowsModel(model) !== true ? models[tier] : model;
}
