import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { defineDriver, knownClis } from '../../drivers/registry.ts';
import { findProgram } from '../../lib/find-program.ts';
import { isOlder } from '../../lib/is-older.ts';
import type { ResourceLimits } from '../../model/limits.ts';
import type { SandboxConfig } from '../../model/sandbox.ts';
import { achievableLimits } from '../../runtime/limits/plan.ts';
import { bubbleProblem } from '../../workspace/bubble-probe.ts';
import { sandboxProblem } from '../../workspace/sandbox.ts';
import type { Variables } from '../state-folder.ts';
import { refuseStateFolder } from '../trust/refuse-unwritable.ts';
import { fault, fine, type Finding, warning } from './finding.ts';

const megabyte = 1024 * 1024;
const leastMb = 100;
const comfortableMb = 1024;
/** The first with `merge-tree --write-tree`. */
const gitNeeded = '2.38';

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return fine('node', version);
  return fault(
    'node',
    `${version} is too old: 22.13 or newer is needed`,
    'install a newer one: https://nodejs.org',
  );
}

/** `version`: what it answers to `--version`; null where it does not. */
export function gitFinding(path: string | null, version: string | null): Finding {
  const install = 'apt-get install git, or: brew install git';
  if (path !== null && version === null) {
    return fault('git', `${path} did not answer --version`, `see what it says: ${path} --version`);
  }
  if (path !== null && version !== null && isOlder(version, gitNeeded)) {
    const text = `${version} at ${path}: landing work needs ${gitNeeded} or newer`;
    return fault('git', text, install);
  }
  if (path !== null) return fine('git', `${version ?? ''} at ${path}`);
  return fault('git', 'git is not on PATH: diff gates and worktrees need it', install);
}

export function tmuxFinding(searchPath: string | undefined): Finding {
  const path = findProgram('tmux', searchPath);
  if (path !== null) return fine('tmux', path);
  return warning(
    'tmux',
    'tmux is not on PATH: only needed to look at agents in panes',
    'apt-get install tmux, or: brew install tmux',
  );
}

export function diskFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const freeMb = Math.floor((bavail * bsize) / megabyte);
  const text = `${freeMb} MB free`;
  if (freeMb < leastMb) return fault('disk', `${text}: runs would fail soon`, `df -h ${folder}`);
  return freeMb < comfortableMb ? warning('disk', text, `df -h ${folder}`) : fine('disk', text);
}

/** Before the first run there is no state folder, and it is the project that must take one. */
export function stateFinding(root: string, state: string, env: Variables): Finding {
  const own = refuseStateFolder(env);
  if (own !== null) return fault('state', own.message, own.hint);
  const there = existsSync(state);
  const folder = there ? state : root;
  if (!statSync(folder).isDirectory()) {
    return fault('state', `${folder} is not a directory`, `move it away: mv ${folder} ${folder}.old`);
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return fine('state', there ? state : `${state} will be made by the first run`);
  } catch {
    return fault('state', `${folder} cannot be written`, `check its owner: ls -lad ${folder}`);
  }
}

/** Which sandbox agents get, and which tools there are. */
export function sandboxFindings(
  searchPath: string | undefined,
  platform: NodeJS.Platform,
  asked: SandboxConfig | null,
): readonly Finding[] {
  const tools = [
    ...(platform === 'linux' ? [['bwrap', 'apt-get install bubblewrap'] as const] : []),
    ['srt', 'npm install -g @anthropic-ai/sandbox-runtime'] as const,
  ];
  const found = tools.map(([name, install]) => {
    const path = findProgram(name, searchPath);
    if (path !== null) return fine(`sandbox ${name}`, path);
    return warning(`sandbox ${name}`, 'not on PATH: only needed to run agents in a sandbox', install);
  });
  return asked === null ? found : [sandboxFinding(asked, searchPath), ...found];
}

/** What the first launch of a run will say. */
function sandboxFinding(asked: SandboxConfig, searchPath: string | undefined): Finding {
  if (asked.mode === 'auto') {
    const problem = bubbleProblem(searchPath);
    if (problem === null) return fine('sandbox', 'auto: agent CLIs run in sandbox workspace');
    const text = `auto: agent CLIs run without one, or in their own (${sandboxedClis().join(', ')}): ${problem}`;
    return warning('sandbox', text, 'let bwrap hold them: tutti help sandbox');
  }
  const problem = sandboxProblem(asked, searchPath);
  if (problem === null) return fine('sandbox', asked.mode);
  return fault('sandbox', problem, 'install it, or take "sandbox" out of tutti.yaml');
}

/** Agent CLIs that bring a sandbox of their own. */
function sandboxedClis(): readonly string[] {
  return knownClis.flatMap(({ name, driver }) => {
    const program = defineDriver(driver)?.program;
    return program?.kind === 'cli' && program.hasOwnSandbox ? [name] : [];
  });
}

/** By what a session would be held to its limits here: found out by trying. */
export function limitsFinding(limits: ResourceLimits): Finding {
  const { achieved, lacking } = achievableLimits(limits);
  const held = Object.entries(achieved).flatMap(([what, by]) =>
    by === null ? [] : [`${what.replace('_', ' ')}: ${by}`],
  );
  const text = held.join(', ');
  return lacking === null
    ? fine('limits', text)
    : warning('limits', `${text}; ${lacking}`, 'let Tutti use control groups: tutti help limits');
}
