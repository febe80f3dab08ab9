import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleProject } from '../../src/app/example/project.ts';
import type { Json } from '../../src/lib/json.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli, type CliEnd, type CliOptions } from './rig.ts';

export const spec = 'tiny-duration.md';
export const plan = 'tiny-duration';

/** The example in a folder, and command lines typed there by somebody who is no terminal. */
export class Desk implements Disposable {
  readonly #folder = tempFolder();
  readonly path = join(this.#folder.path, 'desk');

  constructor(first: readonly object[] = []) {
    mkdirSync(this.path);
    for (const [name, content] of exampleProject({ delayMs: 0, first }))
      writeFileSync(join(this.path, name), content);
  }

  type(...words: readonly string[]): Promise<CliEnd> {
    return cli({ folder: this.path, env: { HOME: this.#folder.path }, stdin: '' }, ...words);
  }

  /** At a terminal, with one answer. */
  answer(typed: CliOptions['typed'] & {}, ...words: readonly string[]): Promise<CliEnd> {
    const env = { HOME: this.#folder.path };
    return cli({ folder: this.path, env, terminal: [100, 40], typed }, ...words);
  }

  async json(...words: readonly string[]): Promise<Json> {
    const { out, err, code } = await this.type(...words, '--json');
    if (code !== 0) throw new Error(err);
    return JSON.parse(out) as Json;
  }

  state(): string {
    return readFileSync(join(this.path, '.tutti/plans', plan, 'state.json'), 'utf8');
  }

  task(id: string): string {
    return join(this.path, '.tutti/plans', plan, 'tasks', `${id}.json`);
  }

  edit(id: string, from: string, to: string): void {
    writeFileSync(this.task(id), readFileSync(this.task(id), 'utf8').replace(from, to));
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
