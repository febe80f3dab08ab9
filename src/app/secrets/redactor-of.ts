import { Redactor } from '../../lib/redact.ts';
import type { Config } from '../../model/config.ts';
import { secretsIn } from '../../model/secret-names.ts';

/**
 * Knows what this process knows: the variables of its own environment. What another process was given is taken out by
 * whoever started it, or by its shape.
 */
export function redactorOf(
  { secrets }: Pick<Config, 'secrets'>,
  env: Readonly<Record<string, string | undefined>>,
): Redactor {
  return new Redactor(secretsIn(env, secrets));
}
