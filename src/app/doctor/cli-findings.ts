import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliDefinition } from '../../drivers/cli-definition.ts';
import { programPath } from '../../drivers/command/launch.ts';
import { defineDriver, knownClis } from '../../drivers/registry.ts';
import { findProgram, isRunnable } from '../../lib/find-program.ts';
import { isWithin } from '../../lib/path-below.ts';
import { isOlder } from '../../lib/is-older.ts';
import type { Config } from '../../model/config.ts';
import { askVersion } from '../../runtime/program-version.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { AgentSource } from '../agents/agent-places.ts';
import type { Environment } from '../opened-project.ts';
import { fault, fine, type Finding, lookAtTrust, type Scope, warning } from './finding.ts';
import { allDrivers, usedDrivers } from './setup.ts';
import { hiddenFrom, seesAll } from '../agent-clis/sign-in.ts';

/** Some take seconds to start on a small machine. */
const timeoutMs = 10_000;

interface Setting {
  readonly source: AgentSource;
  readonly env: Environment;
  /** Null where the configuration cannot be read. */
  readonly config: Config | null;
  /** `project`: only CLIs that the project uses. */
  readonly scope: Scope;
  /** Members of the project's file that do not count, because no person trusted it. */
  readonly untrusted: readonly string[];
}

/** A CLI, and who uses it. */
interface Candidate {
  readonly cli: CliDefinition;
  /** A name or a path. */
  readonly program: string;
  readonly drivers: readonly string[];
  /** An agent of this project runs with it. */
  readonly used: boolean;
}

/**
 * The agent CLIs that are there. Only a missing sign-in of one that agents of the project use is a failure: whether a driver
 * that is used lacks its program is found elsewhere.
 */
export async function cliFindings(setting: Setting): Promise<readonly Finding[]> {
  const home = mkdtempSync(join(tmpdir(), 'tutti-doctor-'));
  try {
    return await Promise.all(candidates(setting).map((each) => findingOf(each, setting, home)));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function candidates({ config, source, scope }: Setting): readonly Candidate[] {
  const used = config === null ? [] : usedDrivers(source, config);
  const names = scope === 'all' && config !== null ? allDrivers(config, used) : used;
  const behind = names.flatMap((driver) => {
    const form =
      config !== null && Object.hasOwn(config.drivers, driver) ? config.drivers[driver] : undefined;
    const use = (form === undefined ? null : defineDriver(form))?.cli ?? null;
    // A bridge has versions of its own, and needs no CLI on PATH.
    return use === null || use.isBridge ? [] : [{ driver, cli: use.cli.name, program: use.program }];
  });
  return knownClis.flatMap((cli) => {
    const own = behind.filter((each) => each.cli === cli.name);
    const ordinary = scope === 'all' ? [cli.name] : [];
    const programs = own.length === 0 ? ordinary : [...new Set(own.map(({ program }) => program))];
    return programs.map((program) => {
      const drivers = own.filter((each) => each.program === program).map(({ driver }) => driver);
      return { cli, program, drivers, used: drivers.some((driver) => used.includes(driver)) };
    });
  });
}

async function findingOf(
  { cli, program, drivers, used }: Candidate,
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
  // By files and variables alone: neither a version nor a start of the CLI is needed for that.
  const access = await accessOf(cli, drivers, setting);
  const seen = await lookAtProgram({ cli, path, driver: drivers[0] ?? cli.name }, setting, home);
  const text = `${seen.text}; ${access.text}`;
  const isMissing = used && !access.found && cli.signIn.optional !== true;
  if (isMissing && access.fix !== null) return fault(name, text, access.fix);
  const fix = seen.fix ?? access.fix;
  return fix === null ? fine(name, text) : warning(name, text, fix);
}

/** The program itself and its version; `fix` is null where nothing speaks against it. */
async function lookAtProgram(
  { cli, path, driver }: { readonly cli: CliDefinition; readonly path: string; readonly driver: string },
  { source, env }: Setting,
  home: string,
): Promise<{ readonly text: string; readonly fix: string | null }> {
  if (isWithin(realpathSync(source.paths.root), realpathSync(path))) {
    const text = `${path} is part of the project, so it was not started`;
    return { text, fix: `see whether it works: tutti doctor --try ${driver}` };
  }
  // In an empty home of its own: being asked for its version, a CLI may still make folders.
  const seen = { PATH: env['PATH'] ?? '', HOME: home, DISABLE_AUTOUPDATER: '1' };
  const answer = await askVersion({ program: path, env: seen, cwd: home, timeoutMs });
  const { version } = answer;
  const what = `${version ?? 'unknown version'} at ${path}`;
  if (version === null) {
    const said = answer.said === null ? '' : oneLine(answer.said, 80);
    const how = said === '' ? 'it did not answer --version' : `it answered --version with "${said}"`;
    return { text: `${what}: ${how}`, fix: `see what it says: ${path} --version` };
  }
  if (isOlder(version, cli.triedFrom)) {
    return { text: `${what}: Tutti was tried with ${cli.triedFrom} and newer`, fix: cli.install };
  }
  return { text: what, fix: null };
}

function whereIs(program: string, { source, env }: Setting): string | null {
  const path = programPath(program, source.paths.root);
  if (!path.includes('/')) return findProgram(path, env['PATH']);
  return isRunnable(path) ? path : null;
}

/** How it may reach its model, as far as that can be seen without asking it. */
async function accessOf(
  cli: CliDefinition,
  drivers: readonly string[],
  { env, config, untrusted }: Setting,
): Promise<{ readonly found: boolean; readonly text: string; readonly fix: string | null }> {
  const [driver] = drivers;
  const form = driver === undefined ? undefined : config?.drivers[driver];
  const settings = (form === undefined ? null : defineDriver(form))?.settings ?? {};
  const find = await cli.signIn.load();
  const signIn = find({ env, config: settings });
  if (!signIn.found) return { found: false, text: signIn.text, fix: signIn.fix };
  const blind =
    config === null ? [] : drivers.filter((name) => !seesAll(config, name, signIn.variables, env));
  if (blind.length === 0) return { found: true, text: signIn.text, fix: null };
  const { text, fix } = hiddenFrom(blind, signIn);
  return { found: false, text, fix: untrusted.includes('drivers') ? lookAtTrust : fix };
}
