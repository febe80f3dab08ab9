import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../lib/atomic-file.ts';
import { digest, digestText } from '../lib/digest.ts';
import { plain } from '../lib/json.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { allLockNames } from '../model/project/package-manager.ts';
import { landingRoot } from './record.ts';
import { nameOf, ownerLabel } from './refs.ts';

/** Runs one command of `workspace.setup` or `workspace.teardown`; null when it passed, else how it ended. */
export type RunHook = (argv: readonly string[], cwd: string, env: Workspace['env']) => Promise<string | null>;

export type HookCommands = readonly (readonly string[])[];

/** Prepares a workspace, once for each list of commands and each state of its lock files: it may be asked for again. */
export function setUpWorkspace(
  target: Target,
  workspace: Workspace,
  commands: HookCommands,
  run: RunHook,
): Promise<Result<null, string>> {
  const { dir, env } = workspace;
  return setUp(target, { name: nameOf(workspace), dir, env }, commands, run);
}

/** The same for the folder where merged work is judged; what git ignores stays there, so once is enough there too. */
export function setUpLanding(
  target: Target,
  commands: HookCommands,
  run: RunHook,
): Promise<Result<null, string>> {
  const env = { TUTTI_WORKSPACE_NAME: `${ownerLabel(target)}-landing` };
  return setUp(
    target,
    { name: 'landing', dir: join(landingRoot(target), target.prefix), env },
    commands,
    run,
  );
}

/** Runs before a workspace is closed. A failure is reported, and the workspace is closed anyway. */
export async function tearDownWorkspace(
  { dir, env }: Workspace,
  commands: HookCommands,
  run: RunHook,
): Promise<Result<null, string>> {
  for (const argv of commands) {
    const failed = existsSync(dir) ? await run(argv, dir, env) : null;
    if (failed !== null) return err(`workspace.teardown: \`${argv.join(' ')}\` ${failed}`);
  }
  return ok(null);
}

const markOf = (target: Target, name: string): string => join(target.state, 'setup', name);

interface Prepared {
  readonly name: string;
  readonly dir: string;
  readonly env: Workspace['env'];
}

async function setUp(
  target: Target,
  { name, dir, env }: Prepared,
  commands: HookCommands,
  run: RunHook,
): Promise<Result<null, string>> {
  const mark = markOf(target, name);
  const wanted = digest(plain({ commands, locks: lockDigests(dir) }));
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return ok(null);
  // A setup that fails halfway may have removed what the former one installed.
  forgetSetUp(target, name);
  for (const argv of commands) {
    const failed = await run(argv, dir, env);
    if (failed !== null) return err(`workspace.setup: \`${argv.join(' ')}\` ${failed}`);
  }
  makePrivateFolder(join(target.state, 'setup'));
  replaceFile(mark, wanted);
  return ok(null);
}

/** Digests of the lock files in a folder, by name: what installing depends on. */
function lockDigests(dir: string): Readonly<Record<string, string>> {
  const locks = allLockNames.flatMap((name) => {
    const facts = lstatSync(join(dir, name), { throwIfNoEntry: false });
    return facts?.isFile() === true ? [[name, digestText(readFileSync(join(dir, name)))] as const] : [];
  });
  return Object.fromEntries(locks);
}

/** The next setup of this folder runs its commands, whatever the lock files say. */
export function forgetSetUp(target: Target, name: string): void {
  rmSync(markOf(target, name), { force: true });
}
