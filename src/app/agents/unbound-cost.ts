import { findModel } from '../../drivers/cli-facts.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import type { Config } from '../../model/config.ts';
import type { AgentDriver } from '../../model/driver.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import { priceOf } from '../../model/price-lookup.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { dollars } from '../../lib/dollars.ts';

/**
 * Why a ceiling of money would hold nothing for this agent, or null. Where neither the CLI nor the price list knows what
 * a turn costs, the sum stays at zero forever; then something that is known must be capped too.
 */
export function unboundCost(
  { costUsd, tokens, launches }: Partial<BudgetLimits>,
  agent: Pick<AgentSnapshot, 'name' | 'driver' | 'tier' | 'model'>,
  { tellsUsage }: Pick<AgentDriver, 'tellsUsage'>,
  config: Pick<Config, 'drivers' | 'prices'>,
): Refusal | null {
  if (costUsd === undefined || tokens !== undefined || launches !== undefined) return null;
  if (tellsUsage === 'cost') return null;
  const { name, driver, tier } = agent;
  const model = findModel(config, agent);
  if (tellsUsage === 'tokens' && priceOf(config, model) !== null) return null;
  const why =
    tellsUsage === undefined
      ? `driver ${driver} reports neither cost nor tokens`
      : `driver ${driver} reports no cost, and ${model === null ? `no model is named for tier ${tier}` : `model ${model} has no price`} in tutti.yaml`;
  return refusal(
    'USAGE',
    `a budget of ${dollars(costUsd)} cannot hold agent '${name}': ${why}`,
    'cap launches or tokens in the budget of the flow too, or name the price: tutti help costs',
  );
}
