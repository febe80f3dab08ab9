import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../lib/counted.ts';
import { findProgram } from '../../lib/find-program.ts';
import { isWithin } from '../../lib/path-below.ts';
import { programVersion } from '../../runtime/program-version.ts';
import { findOffBranch } from '../../workspace/target.ts';
import { describeTrust, untrustedSurfaces } from '../consent/describe.ts';
import { refusePlans } from '../plans/refuse-plans.ts';
import { refuseGoneFiles } from '../plan-files/kept-files.ts';
import { findProject, pathsOf, type ProjectPaths } from '../project.ts';
import { wasUsed } from '../recovery/database-fault.ts';
import { hasKeptHistory } from '../recovery/kept-history.ts';
import { projectTrust, withoutForeignPrograms } from '../trust/project-trust.ts';
import { refuseStateFolder } from '../trust/refuse-unwritable.ts';
import { trustFilePath } from '../trust/trust-file.ts';
import { backupFolderOf } from '../open-store.ts';
import type { Environment } from '../opened-project.ts';
import { locate, openTutti } from '../tutti.ts';
import { type Refusal, shownMistakes } from '../refusal.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import type { Config } from '../../model/config.ts';
import { named } from '../../model/trust.ts';
import { type ConfigPlaces, loadConfig, untrustedMembers } from '../config/load-config.ts';
import { projectFile, userConfigPath } from '../config/default-settings.ts';
import { fault, fine, type Finding, lookAtTrust, type Scope, warning } from './finding.ts';
import { cliFindings } from './cli-findings.ts';
import {
  diskFinding,
  gitFinding,
  limitsFinding,
  nodeFinding,
  sandboxFindings,
  stateFinding,
  tmuxFinding,
} from './machine.ts';
import { agentFindings, driverFindings } from './setup.ts';

export interface Examined {
  readonly folder: string;
  readonly env: Environment;
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  readonly scope: Scope;
}

/** Looks at everything that a run needs, in whatever state it is: the doctor must not fail with the project. */
export async function examine(examined: Examined): Promise<readonly Finding[]> {
  const { folder, nodeVersion, scope } = examined;
  const paths = pathsOf(findProject(folder));
  const { root, state } = paths;
  const env = withoutForeignPrograms(examined.env, root);
  const source = { paths, trust: projectTrust(root, env) };
  const place = locate({ folder, env });
  const config = place.ok ? place.value.config : null;
  const home = env['HOME'] ?? homedir();
  const places = { projectDir: root, env, home, trust: source.trust };
  const untrusted = untrustedMembers(places);
  const git = await findGit(root, env['PATH']);
  return [
    nodeFinding(nodeVersion),
    git,
    ...(git.state === 'ok' && !isOfProject(root, findProgram('git', env['PATH']))
      ? [await planFinding(paths, env)]
      : []),
    ...(place.ok ? [configFinding(places, untrusted)] : brokenConfigFindings(places, place.error)),
    ...(place.ok ? driverFindings(place.value, scope, untrusted) : []),
    ...(await cliFindings({ source, env, config, scope, untrusted })),
    ...machineFindings({ ...examined, env }, root, config),
    ...stateFindings(
      stateFinding(root, state, env),
      place.ok ? await databaseFinding(folder, env, paths) : null,
    ),
    ...agentFindings(source, place.ok ? place.value : null),
    trustFinding(folder, env),
  ];
}

/** A folder whose database is refused is not called fine. */
function stateFindings(state: Finding, database: Finding | null): readonly Finding[] {
  if (database === null) return [state];
  return state.state === 'ok' && database.state === 'failure' ? [database] : [state, database];
}

/** Which files are in force: the project's, and the person's own below it. */
function configFinding({ projectDir, env, home }: ConfigPlaces, untrusted: readonly string[]): Finding {
  const file = join(projectDir, projectFile);
  const own = userConfigPath(env, home);
  const isOwn = existsSync(own);
  if (!existsSync(file)) return fine('config', `no ${projectFile}: ${isOwn ? own : 'defaults'}`);
  if (untrusted.length === 0) return fine('config', isOwn ? `${file}, and ${own}` : file);
  const text = `${file} is not trusted as it is: ${untrusted.join(', ')} do not count`;
  return warning('config', text, lookAtTrust);
}

/** Each mistake by itself, with its file and member; where no file is to blame, why the project cannot be used. */
function brokenConfigFindings(places: ConfigPlaces, refused: Refusal): readonly Finding[] {
  const loaded = loadConfig(places);
  if (loaded.ok) return [ofRefusal('config', refused)];
  const more = loaded.error.length - shownMistakes;
  // This is the command that another one would name.
  const fix = 'fix the file';
  return [
    ...loaded.error.slice(0, shownMistakes).map((problem) => fault('config', problemSentence(problem), fix)),
    ...(more > 0 ? [fault('config', `${more} more of these`, fix)] : []),
  ];
}

async function findGit(root: string, searchPath: string | undefined): Promise<Finding> {
  const path = findProgram('git', searchPath);
  if (path === null) return gitFinding(null, null);
  // No program of a repository is started.
  if (isOfProject(root, path)) return fine('git', `${path} is part of the project`);
  const question = { program: path, env: { PATH: searchPath ?? '' }, cwd: '/', timeoutMs: 10_000 };
  return gitFinding(path, await programVersion(question));
}

function isOfProject(root: string, program: string | null): boolean {
  return program !== null && isWithin(realpathSync(root), realpathSync(program));
}

/** Whether `tutti plan` can work on the project: flows run without git. */
async function planFinding(paths: ProjectPaths, env: Environment): Promise<Finding> {
  const { root } = paths;
  const refused = await refusePlans({ paths, env });
  if (refused !== null) return warning('plans', `none can be made: ${refused.message}`, refused.hint);
  const offBranch = await findOffBranch(root);
  return offBranch === null
    ? fine('plans', `can be made for ${root}`)
    : warning('plans', `none can be landed: ${offBranch.what}`, offBranch.fix);
}

/** Of the machine: what the project asks for, and what is wrong already; the rest only among all. */
function machineFindings(
  { env, platform, scope }: Examined,
  root: string,
  config: Config | null,
): readonly Finding[] {
  const all = scope === 'all';
  const disk = diskFinding(root);
  const sandbox = sandboxFindings(env['PATH'], platform, config?.sandbox ?? null);
  return [
    ...(all || config?.host === 'tmux' ? [tmuxFinding(env['PATH'])] : []),
    ...sandbox.filter(({ state, name }) => all || state === 'failure' || name === 'sandbox'),
    ...(all || disk.state !== 'ok' ? [disk] : []),
    ...(config !== null && (all || hasOwnLimits(config)) ? [limitsFinding(config.limits)] : []),
  ];
}

/** Those that need control groups; the others are kept by the launcher. */
function hasOwnLimits({ limits: { memoryBytes, cpuPercent } }: Config): boolean {
  return memoryBytes !== null || cpuPercent !== null;
}

async function databaseFinding(folder: string, env: Environment, paths: ProjectPaths): Promise<Finding> {
  if (!wasUsed(paths)) {
    return hasKeptHistory(folder, env)
      ? warning('database', 'none: the state of this project was removed', 'restore its runs: tutti recover')
      : fine('database', 'none yet: the first run makes it');
  }
  const opened = openTutti({ folder, env, create: false });
  if (!opened.ok) return ofRefusal('database', opened.error);
  using tutti = opened.value;
  for (const plan of await tutti.queries.plans.all()) {
    const gone = refuseGoneFiles(tutti, plan);
    if (gone !== null) return warning('database', gone.message, gone.hint);
  }
  const backups = backupFolderOf(paths, tutti.env);
  const missing = await tutti.store.missingInCopy();
  if (missing > 0) {
    const lacks = `its second copy in ${backups.path} lacks ${counted(missing, 'change')}`;
    const closed = refuseStateFolder(env);
    const fix = closed === null ? '' : `${closed.hint}; `;
    return warning('database', `${paths.database}; ${lacks}`, `${fix}copy all of it: tutti recover`);
  }
  return fine('database', `${paths.database}; ${lastCopy(backups, (await tutti.store.lineage()).id)}`);
}

/** When the last copy was made; a young database has none, because every change of it is kept. */
function lastCopy(backups: ReturnType<typeof backupFolderOf>, id: string): string {
  const at = backups.copiedAt(id);
  if (at === null) return 'no copy of it is kept';
  const where = `in ${backups.path}`;
  return backups.copies(id).length > 0
    ? `last copy ${new Date(at).toISOString()} ${where}`
    : `no full copy yet; all changes are stored ${where}`;
}

/** Whether every file of the repository that needs trust is trusted as it is. */
function trustFinding(folder: string, env: Environment): Finding {
  const { repository, trustedAt, problem } = describeTrust(folder, env);
  if (problem !== null) {
    return warning('trust', problem, `look at it, then remove it: rm ${trustFilePath(env)}`);
  }
  const changed = untrustedSurfaces(folder, env);
  if (trustedAt === null) {
    if (changed.length === 0) return fine('trust', 'everything in the repository is trusted');
    const text = `${repository} is not trusted, so Tutti does not use ${named(changed)}`;
    return warning('trust', text, lookAtTrust);
  }
  if (changed.length === 0) return fine('trust', `${repository} is trusted since ${trustedAt}`);
  const text = `${repository} is trusted; since then these have changed: ${named(changed)}`;
  return warning('trust', text, lookAtTrust);
}

function ofRefusal(name: string, { message, hint }: Refusal): Finding {
  return fault(name, message, hint);
}
