import { isObject, textMember } from '../lib/json.ts';
import { agentClis } from './agent-clis.ts';
import type { Failure } from './failure.ts';
import type { Tier } from './turn.ts';

/** Why a provider runs a model for no prompt at all, with nothing wrong with the key: trying again cannot help. */
export type ModelRefusal =
  | 'unpaid'
  | 'unknown'
  /** A server that answers and has no such page: the address is wrong, or it does not say that the model is. */
  | 'not-found';

const words: readonly (readonly [refusal: ModelRefusal, pattern: RegExp])[] = [
  [
    'unpaid',
    /credit balance|insufficient (?:credit|funds|balance)|payment required|\b402\b|\bbilling\b.{0,80}\b(?:inactive|disabled|not active|hard limit)/i,
  ],
  [
    'unknown',
    /model.{0,80}(?:not (?:found|exist|supported|available)|does not exist|unknown|invalid)|(?:unknown|invalid|no such|not a valid|not offer the).{0,20}model|not_found_error.{0,80}model/i,
  ],
  ['not-found', /\b404\b|\bNot Found\b/],
];

/** The refusal that an error of a CLI or its provider speaks of; null: none. */
export function modelRefusalIn(text: string): ModelRefusal | null {
  return words.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/** The agent whose model was refused. */
export interface RefusedModel {
  readonly driver: string;
  /** Null: left to the CLI. */
  readonly model: string | null;
  /** Where a person names another model. */
  readonly setting: string;
}

/** What was refused, and what a person does about it. */
export function describeModelRefusal(
  refusal: ModelRefusal,
  { driver, model, setting }: RefusedModel,
): { readonly what: string; readonly fix: string } {
  switch (refusal) {
    case 'unpaid':
      return {
        what: 'the account cannot pay for the model',
        fix: `add credit to the account of the key, or use another key or sign-in for ${driver}`,
      };
    case 'unknown':
      return {
        what: `the model${model === null ? '' : ` ${model}`} is not known`,
        fix: `name another one: ${setting} (tutti help drivers)`,
      };
    case 'not-found':
      return {
        what: 'the address of the model was not found',
        fix: `check the model (${setting}) and the base URL of ${driver}: tutti help drivers`,
      };
  }
}

/** The setting as it can be pasted; a driver under its own name has a setup already, which may know no models. */
export function modelSetting(driver: string, tier: Tier): string {
  return agentClis.some((cli) => cli === driver)
    ? `drivers: {${driver}: {models: {${tier}: MODEL}}} in tutti.yaml`
    : `the setup of driver ${driver} in tutti.yaml`;
}

/** What the CLI said, without the advice around it, as the failure of a turn that cannot use its model keeps it; null: nothing. */
export function wordsOfCli({ evidence = null }: Pick<Failure, 'evidence'>): string | null {
  return (isObject(evidence) ? textMember(evidence, 'said') : '') || null;
}
