import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
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

/** A machine with one CLI on PATH, an empty home, and a model on the loopback that the test plays. */
export async function cliPlace(cli: CliName, brain: CliBrain, key: 'with' | 'without'): Promise<CliPlace> {
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
