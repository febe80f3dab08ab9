import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { npm, packRepository } from './pack.ts';

const execute = promisify(execFile);

export interface Installed extends Disposable {
  /** The folder of somebody who ran `npm install tutti`. */
  readonly folder: string;
  /** Paths in the tarball. */
  readonly packed: readonly string[];
}

/** Packs the repository as it was built, and installs that for production as a stranger would. */
export async function installPacked(): Promise<Installed> {
  if (!existsSync(repository('dist/cli/main.js'))) {
    throw new Error('there is nothing to pack: run `npm run build` first');
  }
  const temporary = tempFolder();
  const folder = join(temporary.path, 'stranger');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"name":"stranger","private":true}');
  const { tarball, packed } = await packRepository(temporary.path);
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await npm(folder, ['install', '--omit=dev', ...quiet, tarball]);
  return {
    folder,
    packed,
    [Symbol.dispose]: () => {
      temporary[Symbol.dispose]();
    },
  };
}

/** Another Node from the registry, beside the program. Gives its binary. */
export async function installNode(version: string): Promise<{ readonly node: string } & Disposable> {
  const temporary = tempFolder();
  writeFileSync(join(temporary.path, 'package.json'), '{ "allowScripts": { "node": true } }');
  await npm(temporary.path, [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
    `node@${version}`,
  ]);
  return {
    node: join(temporary.path, 'node_modules', 'node', 'bin', 'node'),
    [Symbol.dispose]: () => {
      temporary[Symbol.dispose]();
    },
  };
}

/** The installed program, run by the Node that runs the tests. */
export async function tutti(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await tuttiWith(process.execPath, folder, ...args);
  return stdout;
}

export async function tuttiWith(
  node: string,
  folder: string,
  ...args: readonly string[]
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const program = join(folder, 'node_modules', 'tutti', 'bin', 'tutti.js');
  const env = { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' };
  return execute(node, [program, ...args], { cwd: folder, env });
}

export interface Weight {
  readonly packages: readonly string[];
  /** Sum of the sizes of all files. */
  readonly bytes: number;
}

export function weigh(folder: string): Weight {
  const modules = join(folder, 'node_modules');
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return {
    packages: Object.keys(lock.packages),
    bytes: files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0),
  };
}
