import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { contentsOf } from '../cli/project.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { PayProject, plan, until } from '../pay/project.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** A project whose commands run in this process, each as a process of its own for the others. */
export class Terminals implements Disposable {
  readonly project = new PayProject();
  readonly #home = tempFolder();

  tutti(...args: readonly string[]): Promise<CliEnd> {
    const env = { HOME: this.#home.path, XDG_STATE_HOME: join(this.#home.path, 'state') };
    return cli({ folder: this.project.path, env, stdin: '' }, ...args);
  }

  /** A command that works on this step until the step is released. */
  async at(step: string, ...args: readonly string[]): Promise<Promise<CliEnd>[]> {
    this.project.hold(step);
    const command = this.tutti(...args);
    await until(() => this.project.turns().includes(step));
    return [command];
  }

  /** Everything that is recorded about runs, plans and tasks, and the files of the plan that people edit. */
  facts(): unknown {
    using database = new DatabaseSync(join(this.project.path, '.tutti', 'tutti.db'), { readOnly: true });
    const tables = ['runs', 'entries', 'budgets', 'plans', 'plan_tasks', 'questions', 'events'];
    const rows = tables.map((table) => database.prepare(`select * from ${table}`).all());
    return [rows, contentsOf(join(this.project.path, '.tutti', 'plans', plan, 'inputs'))];
  }

  [Symbol.dispose](): void {
    this.project[Symbol.dispose]();
    this.#home[Symbol.dispose]();
  }
}
