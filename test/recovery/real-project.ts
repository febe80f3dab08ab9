import { copyFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathsOf } from '../../src/app/project.ts';
import { backupFolderOf } from '../../src/app/open-store.ts';
import { identify, isAlive } from '../../src/lib/process/identity.ts';
import { databaseFiles } from '../../src/store/restore.ts';
import { lines } from '../e2e/project.ts';
import { PayProject } from '../pay/project.ts';
import { until } from '../rig/attempt-rig.ts';
import type { ProgramEnd } from '../rig/program.ts';

/** What is kept outside the project when its database is lost. */
export type Kept = 'everything' | 'an old copy' | 'nothing';

/** A flow of three turns; each waits as long as the project has a file `hold-<step>`. */
const flow = `name: three
steps:
  - { id: one, agent: coder, prompt: one }
  - { id: two, needs: [one], agent: coder, prompt: two }
  - { id: three, needs: [two], agent: coder, prompt: three }
`;

const agent = `cat > /dev/null
step=\${TUTTI_STEP:-session}
echo "$step begin" >> "$TUTTI_PROJECT/ledger"
while [ -e "$TUTTI_PROJECT/hold-$step" ]; do sleep 0.05; done
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
echo "$step end" >> "$TUTTI_PROJECT/ledger"
`;

/** Steps that a test lets wait. */
const held = ['one', 'two', 'session', 'logical', 'definition', 'T002'];

/** A project with real processes whose database can be lost. */
export class LostProject implements Disposable {
  readonly project = new PayProject();
  #copy: string | null = null;

  constructor() {
    this.project.write('flow.yaml', flow);
    this.project.write('agent.sh', agent);
    this.project.write('prompt.md', 'Do it.\n');
    const config = this.project
      .read('tutti.yaml')
      .replace('agents:\n', 'agents:\n  coder: { driver: shell }\n');
    const shell = '  shell: { type: command, command: [sh, agent.sh] }\n';
    this.project.write('tutti.yaml', config.replace('drivers:\n', `drivers:\n${shell}`));
  }

  run(...args: readonly string[]): Promise<ProgramEnd> {
    return this.project.run(...args);
  }

  get #database(): string {
    return join(this.project.path, '.tutti', 'tutti.db');
  }

  get #backups() {
    const home = join(dirname(this.project.path), 'home');
    return backupFolderOf(pathsOf(this.project.path), { HOME: home, XDG_STATE_HOME: join(home, 'state') });
  }

  /** Remembers the database as it is now: the old copy. */
  remember(): void {
    this.#copy = join(dirname(this.project.path), 'old.db');
    using db = new DatabaseSync(this.#database, { timeout: 120_000 });
    db.prepare('vacuum into ?').run(this.#copy);
  }

  /** Starts a command and kills it, as soon as the step works. */
  async killAt(step: string, ...args: readonly string[]): Promise<void> {
    this.project.hold(step);
    const program = this.project.start(...args);
    await until(`${step} works`, () => this.project.turns().includes(step));
    program.child.kill('SIGKILL');
    await program.ended;
  }

  /**
   * Every process that advances runs, by SIGKILL, as soon as the conductor is among them: one that starts later would notice the
   * lost database and copy what it can.
   */
  async killHolders(): Promise<void> {
    using db = new DatabaseSync(this.#database, { timeout: 120_000 });
    const conductor = db.prepare(`select pid from holders where id = 'conductor'`);
    await until('the conductor works', () => conductor.get() !== undefined);
    const pids = db.prepare('select pid from holders').all();
    for (const { pid } of pids) {
      const holder = identify(Number(pid));
      if (holder === null) continue;
      process.kill(holder.pid, 'SIGKILL');
      await until('it is gone', () => !isAlive(holder));
    }
  }

  lose(kept: Kept): void {
    const { path } = this.#backups;
    if (kept !== 'everything') rmSync(path, { recursive: true, force: true });
    if (kept === 'an old copy' && this.#copy !== null) {
      using db = new DatabaseSync(this.#copy);
      const id = String(db.prepare('select id from lineage').get()?.['id']);
      copyFileSync(this.#copy, this.#backups.begin({ id, backup: 1 }));
      this.#backups.finish({ id, backup: 1 }, Date.now());
    }
    for (const file of databaseFiles(this.#database)) rmSync(file, { force: true });
  }

  /** Turns that began, by how often. */
  paid(): Readonly<Record<string, number>> {
    const turns = this.project.turns();
    return Object.fromEntries(
      [...new Set(turns)].map((turn) => [turn, turns.filter((one) => one === turn).length]),
    );
  }

  /** Turns that have ended. */
  ended(): readonly string[] {
    return lines(join(this.project.path, 'ledger')).flatMap((line) =>
      line.endsWith(' end') ? [line.slice(0, -4)] : [],
    );
  }

  releaseAll(): void {
    for (const step of held) this.project.release(step);
  }

  [Symbol.dispose](): void {
    this.project[Symbol.dispose]();
  }
}
