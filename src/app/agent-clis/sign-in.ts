import type { Variables } from '../../drivers/environment.ts';
import { variablesFor } from '../../drivers/cli-facts.ts';
import { findWorkingDriver } from '../../drivers/registry.ts';
import type { SignIn } from '../../drivers/sign-in.ts';
import type { Config } from '../../model/config.ts';

type Drivers = Pick<Config, 'env' | 'drivers'>;

/** Of the CLI behind a driver, as its agents see it; null for any other program. */
export async function signInOf(config: Drivers, name: string, env: Variables): Promise<SignIn | null> {
  const driver = findWorkingDriver(config, name);
  if (driver === null || driver.cli === null) return null;
  const find = await driver.cli.cli.signIn.load();
  const signIn = find({ env, config: driver.settings });
  if (!signIn.found || seesAll(config, name, signIn.variables, env)) return signIn;
  return { found: false, hidden: true, ...hiddenFrom([name], signIn) };
}

/** Whether agents of a driver get these variables. */
export function seesAll(config: Drivers, driver: string, names: readonly string[], env: Variables): boolean {
  const passed = variablesFor(config, driver, env);
  return names.every((name) => passed.includes(name));
}

/** The words for a sign-in that agents of these drivers do not see. */
export function hiddenFrom(
  drivers: readonly string[],
  { text, variables }: Extract<SignIn, { found: true }>,
): { readonly text: string; readonly fix: string } {
  const names = drivers.join(', ');
  return {
    text: `${text}, but agents of driver ${names} do not see it`,
    fix: `let it through: env: [${variables.join(', ')}] at driver ${names} in tutti.yaml`,
  };
}

/** The words for a sign-in that the model refused, and what a person does about it. `advice`: how to sign in with the CLI. */
export function describeRefusal(
  signIn: SignIn | null,
  advice: string | null = null,
): { readonly what: string; readonly fix: string } {
  const key = keyVariable(signIn);
  if (key !== null) return { what: `the model refused the key in ${key}`, fix: `set ${key} to a valid key` };
  const used = signIn === null ? '' : ` (${signIn.text})`;
  return {
    what: `the sign-in was refused${used}`,
    fix: advice ?? 'check the key, or sign in again with the CLI itself',
  };
}

/** The variable whose key the CLI uses; null where it signs in by other means, or not at all. */
export function keyVariable(signIn: SignIn | null): string | null {
  const last = signIn?.found === true ? signIn.variables.at(-1) : undefined;
  return last !== undefined && /KEY|TOKEN/.test(last) ? last : null;
}

/** What to do about a refused key, for a turn; undefined: no key is known to be set, or to be the one that is needed. */
export async function refusedKeyAdvice(
  config: Drivers,
  driver: string,
  env: Variables,
): Promise<string | undefined> {
  const signIn = await signInOf(config, driver, env);
  if (signIn?.found === false && (signIn.hidden === true || signIn.only === true))
    return `${signIn.text}; ${signIn.fix}`;
  if (keyVariable(signIn) === null) return undefined;
  const { what, fix } = describeRefusal(signIn);
  return `${what}; ${fix}`;
}
