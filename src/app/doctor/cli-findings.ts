import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { programPath } from '../../drivers/command/launch.ts';
import { findProgram, isRunnable } from '../../lib/find-program.ts';
import { isOlder } from '../../lib/is-older.ts';
import { type Config, variablesFor } from '../../model/config.ts';
import { programVersion } from '../../runtime/program-version.ts';
import type { Environment } from '../tutti.ts';
import { type AgentCli, agentClis, cliOf } from './agent-clis.ts';
import { fine, type Finding, warning } from './finding.ts';

/** Some take seconds to start on a small machine. */
const timeoutMs = 10_000;

interface Setting {
  readonly root: string;
  readonly env: Environment;
  /** Null where the configuration cannot be read. */
  readonly config: Config | null;
}

/** A CLI, and who uses it. */
interface Candidate {
  readonly cli: AgentCli;
  /** A name or a path. */
  readonly program: string;
  readonly drivers: readonly string[];
}

/**
 * The agent CLIs that are there. None of this is a failure: whether a driver that is used lacks its program is found
 * elsewhere, and what is seen of keys and sign-ins are hints.
 */
export async function cliFindings(setting: Setting): Promise<readonly Finding[]> {
  const home = mkdtempSync(join(tmpdir(), 'tutti-doctor-'));
  try {
    return await Promise.all(candidates(setting.config).map((each) => findingOf(each, setting, home)));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function candidates(config: Config | null): readonly Candidate[] {
  const used = Object.entries(config?.drivers ?? {}).flatMap(([driver, form]) => {
    const found = cliOf(form);
    return found === null ? [] : [{ driver, ...found }];
  });
  return agentClis.flatMap((cli) => {
    const own = used.filter((each) => each.cli === cli.name);
    const programs = own.length === 0 ? [cli.name] : [...new Set(own.map(({ program }) => program))];
    return programs.map((program) => ({
      cli,
      program,
      drivers: own.filter((each) => each.program === program).map(({ driver }) => driver),
    }));
  });
}

async function findingOf(
  { cli, program, drivers }: Candidate,
  setting: Setting,
  home: string,
): Promise<Finding> {
  // Another program than the usual one is some driver's own choice.
  const name = program === cli.name ? `cli ${cli.name}` : `cli ${cli.name} (${drivers.join(', ')})`;
  const path = whereIs(program, setting);
  if (path === null) {
    const by = drivers.length === 0 ? 'no driver uses it' : `driver ${drivers.join(', ')} needs it`;
    return warning(name, `not there; ${by}`, cli.install);
  }
  // In an empty home of its own: being asked for its version, a CLI may still make folders.
  const env = { PATH: setting.env['PATH'] ?? '', HOME: home, DISABLE_AUTOUPDATER: '1' };
  const version = await programVersion({ program: path, env, cwd: home, timeoutMs });
  const what = `${version ?? 'unknown version'} at ${path}`;
  if (version === null) {
    return warning(name, `${what}: it did not answer --version`, `see what it says: ${path} --version`);
  }
  if (isOlder(version, cli.triedFrom)) {
    return warning(name, `${what}: Tutti was tried with ${cli.triedFrom} and newer`, cli.install);
  }
  const access = accessOf(cli, drivers, setting);
  const text = `${what}; ${access.text}`;
  return access.mend === null ? fine(name, text) : warning(name, text, access.mend);
}

function whereIs(program: string, { root, env }: Setting): string | null {
  const path = programPath(program, root);
  if (!path.includes('/')) return findProgram(path, env['PATH']);
  return isRunnable(path) ? path : null;
}

/** How it may reach its model, as far as that can be seen without reading any secret. */
function accessOf(
  cli: AgentCli,
  drivers: readonly string[],
  { env, config }: Setting,
): { readonly text: string; readonly mend: string | null } {
  const file = signInFile(cli, env);
  if (existsSync(file)) return { text: `signed in (${file} is there)`, mend: null };
  const set = cli.keys.filter((key) => (env[key] ?? '') !== '');
  const [first] = set;
  if (first === undefined) {
    const text = `no sign-in and none of ${cli.keys.join(', ')} seen`;
    return { text, mend: `sign in: ${cli.signInCommand}` };
  }
  const blind = config === null ? [] : drivers.filter((driver) => !sees(config, driver, set));
  if (blind.length === 0) return { text: `${set.join(', ')} is set`, mend: null };
  const text = `${set.join(', ')} is set, but agents of driver ${blind.join(', ')} do not see it`;
  return { text, mend: `let it through: env: [${first}] at driver ${blind.join(', ')} in tutti.yaml` };
}

function sees(config: Config, driver: string, keys: readonly string[]): boolean {
  return variablesFor(config, driver).some((name) => keys.includes(name));
}

function signInFile({ signIn: { file, folderVariable, folder } }: AgentCli, env: Environment): string {
  const named = folderVariable === null ? '' : (env[folderVariable] ?? '');
  return isAbsolute(named) ? join(named, file) : join(env['HOME'] ?? homedir(), folder, file);
}
