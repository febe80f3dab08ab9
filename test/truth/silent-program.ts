import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledger, processesOf, until, writeShellProject } from '../e2e/project.ts';
import { type ProgramEnd, startTutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { rowsOf } from './rows.ts';

/*
 * What commands that only look do where a process died without a word, with this program or an older one.
 */

const slow = { name: 'slow', steps: [{ id: 'slow', agent: 'coder', prompt: 'slow' }] };

class SilentProject implements Disposable {
  readonly #folder = tempFolder();
  readonly #program: string | undefined;
  readonly path = realpathSync(this.#folder.path);

  constructor(program?: string) {
    this.#program = program;
    writeShellProject(this.path, slow);
    writeFileSync(join(this.path, 'slow.md'), 'slow');
  }

  start(...args: readonly string[]) {
    return startTutti(this.path, args, {}, this.#program);
  }

  run(...args: readonly string[]): Promise<ProgramEnd> {
    return this.start(...args).ended;
  }

  /** Starts a run, and kills its process with -9 while its agent works. Returns the number of the process. */
  async abandon(): Promise<number> {
    const command = this.start('run', 'flow.yaml', '--run-id', 'r');
    await until('its agent works', () => ledger(this.path).includes('slow begin'));
    const { pid } = command.child;
    if (pid === undefined) throw new Error('the command did not start');
    command.child.kill('SIGKILL');
    await command.ended;
    return pid;
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** The process of a run is killed, and its agent ends. The tables in which a command that only looks changes rows then. */
export async function changedByLooking(
  words: readonly string[],
  program?: string,
): Promise<readonly string[]> {
  using project = new SilentProject(program);
  await project.abandon();
  writeFileSync(join(project.path, 'go'), '');
  await until('its agent ended', () => ledger(project.path).includes('slow end'));
  await until('its launcher ended', () => processesOf(project.path).length === 0);
  const before = new Set(rowsOf(project.path));
  await project.run(...words);
  const changed = rowsOf(project.path).filter((row) => !before.has(row));
  return [...new Set(changed.map((row) => row.slice(0, row.indexOf(' '))))];
}

/** The process of a run is killed while its agent works. Whether `status` names that process, in words and as JSON. */
export async function namesDeadHolder(program?: string): Promise<readonly [words: boolean, json: boolean]> {
  using project = new SilentProject(program);
  const pid = await project.abandon();
  const words = await project.run('status', 'r');
  const json = await project.run('status', 'r', '--json');
  await project.run('stop', '--all');
  const named = new RegExp(`\\b${pid}\\b`);
  return [named.test(words.stdout), named.test(json.stdout)];
}
