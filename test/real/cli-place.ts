import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installedTutti } from '../rig/installed-tutti.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { type CliBrain, type CliName, cliWorlds } from './cli-tools.ts';
import { programOf } from './program-of.ts';
import { trustProject } from '../rig/trust.ts';

/** A sandboxed codex does not work with a home or a project below /tmp, which is its temporary folder. */
export const outsideTmp = '/var/tmp';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliPlace extends AsyncDisposable {
  /** An empty folder. */
  readonly project: string;
  /** The variable that holds the key. */
  readonly key: string;
  /** Runs `tutti` in the project as the person would. */
  readonly tutti: (...args: readonly string[]) => Promise<Ended>;
  /** Runs the CLI itself there, with nothing to read. */
  readonly cli: (...args: readonly string[]) => Promise<Ended>;
}

/** Where a CLI keeps its files below the home, and below the folder that its variable names. */
const movable: Readonly<Partial<Record<CliName, { variable: string; folder: string; below: string }>>> = {
  claude: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude', below: '' },
  codex: { variable: 'CODEX_HOME', folder: '.codex', below: '' },
  gemini: { variable: 'GEMINI_CLI_HOME', folder: '.gemini', below: '.gemini' },
};

function moveFiles(cli: CliName, home: string, to: string): Readonly<Record<string, string>> {
  const move = movable[cli];
  if (move === undefined) throw new Error(`no variable moves the files of ${cli}`);
  mkdirSync(join(home, move.folder), { recursive: true });
  mkdirSync(dirname(join(to, move.below)), { recursive: true });
  renameSync(join(home, move.folder), join(to, move.below));
  return { [move.variable]: to };
}

/** A machine with one CLI on PATH, an empty home, and a model on the loopback that the test plays. */
export async function cliPlace(
  cli: CliName,
  brain: CliBrain,
  key: 'with' | 'without',
  files: 'in the home' | 'elsewhere' = 'in the home',
): Promise<CliPlace> {
  const { program } = await programOf(cli);
  await using made = new AsyncDisposableStack();
  const root = realpathSync(made.use(tempFolder(outsideTmp)).path);
  const at = (name: string): string => join(root, name);
  for (const name of ['bin', 'home', 'project', 'tmp']) mkdirSync(at(name));
  symlinkSync(program, join(at('bin'), cli));
  const world = made.use(await cliWorlds[cli](at('home'), brain));
  const { [world.key]: secret, ...rest } = world.env;
  const env = {
    PATH: [at('bin'), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: at('home'),
    TMPDIR: at('tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...rest,
    ...(files === 'elsewhere' ? moveFiles(cli, at('home'), at('elsewhere')) : {}),
    ...(key === 'with' && secret !== undefined ? { [world.key]: secret } : {}),
  };
  const run = (file: string, args: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const child = execFile(file, args, { cwd: at('project'), env }, (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
      });
      child.stdin?.end();
    });
  const kept = made.move();
  return {
    project: at('project'),
    key: world.key,
    tutti: (...args) => {
      trustProject(at('project'), env);
      return run(process.execPath, [installedTutti(), ...args]);
    },
    cli: (...args) => run(program, args),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
