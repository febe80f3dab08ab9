import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stringify } from 'yaml';
import { recover, type Recovered } from '../../src/app/recovery/recover.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { resumeRun } from '../../src/app/runs/control.ts';
import { recordStops, settleHalts } from '../../src/app/runs/after-recovery.ts';
import { checkFlow } from '../../src/app/runs/start-flow.ts';
import { backupFolderOf } from '../../src/app/open-store.ts';
import { locate, type Tutti } from '../../src/app/tutti.ts';
import { setProbe } from '../../src/lib/probe.ts';
import { stepIdOf } from '../../src/model/key.ts';
import type { BackupFolder } from '../../src/store/backup-folder.ts';
import { databaseFiles } from '../../src/store/restore.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { playedPerson } from '../rig/person.ts';
import { openTutti, startFlow, trustProject } from '../rig/trust.ts';

const runId = 'r1';

const agent = `cat > /dev/null
echo "$TUTTI_STEP" >> ledger
case "$TUTTI_STEP" in
  asks) echo '{"status":"success","summary":"which?","questions":[{"text":"Which one?","options":["left","right"]}]}' ;;
  *) echo '{"status":"success","summary":"told"}' ;;
esac > "$TUTTI_RESULT"
`;

const flow = {
  name: 'recovered',
  steps: [
    { id: 'first', command: ['sh', '-c', 'echo first >> ledger'] },
    { id: 'told', needs: ['first'], agent: 'coder', prompt: 'Tell.' },
    { id: 'asks', needs: ['told'], agent: 'coder', prompt: 'Ask.' },
    { id: 'last', needs: ['asks'], command: ['sh', '-c', 'echo last >> ledger'] },
  ],
};

/** Turns that are paid, in an undisturbed run. */
export const paidTurns = ['told', 'asks', 'asks/answer-1'] as const;

/** A project with one run, finished or waiting for an answer, and its database as it was after each transaction. */
export class RecoveryProject implements Disposable {
  readonly #folder = tempFolder();
  readonly #saved = tempFolder();
  readonly root = join(this.#folder.path, 'project');
  readonly env = { PATH: process.env['PATH'], HOME: join(this.#folder.path, 'home') };
  /** Copies of the database, oldest first. */
  readonly moments: string[] = [];

  static async make(how: 'finished' | 'half-done'): Promise<RecoveryProject> {
    const project = new RecoveryProject();
    project.#write();
    setProbe((point) => {
      if (point === 'commit:after') project.#remember();
    });
    try {
      using tutti = project.open();
      const request = { file: 'flow.yaml', folder: project.root, runId, maxParallel: null };
      const checked = checkFlow(request);
      if (!checked.ok) throw new Error(checked.error.message);
      const started = await startFlow(tutti, checked.value, request);
      if (!started.ok) throw new Error(started.error.message);
      await advanceRun(tutti, { runId, stay: false });
      if (how === 'finished') await project.complete(tutti);
    } finally {
      setProbe(null);
    }
    cpSync(project.#folder.path, join(project.#saved.path, 'all'), { recursive: true });
    return project;
  }

  get database(): string {
    return join(this.root, '.tutti', 'tutti.db');
  }

  get backups(): BackupFolder {
    const place = this.#place();
    return backupFolderOf(place.paths, place.env);
  }

  /** As it was before it was damaged: paths are absolute in a run, so every case has the same folder. */
  reset(): void {
    rmSync(this.#folder.path, { recursive: true, force: true });
    cpSync(join(this.#saved.path, 'all'), this.#folder.path, { recursive: true });
    // The same folder as far as the person knows: only its inode is another one.
    trustProject(this.root, this.env);
  }

  open(): Tutti {
    const opened = openTutti({
      folder: this.root,
      env: this.env,
      caller: playedPerson(this.env),
      create: true,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  }

  /** The sentence that keeps the project closed; null: it opens. */
  refusal(): { readonly message: string; readonly hint: string } | null {
    const opened = openTutti({
      folder: this.root,
      env: this.env,
      caller: playedPerson(this.env),
      create: true,
    });
    if (!opened.ok) return opened.error;
    opened.value[Symbol.dispose]();
    return null;
  }

  async recover(readFolders?: Parameters<typeof recover>[1]['readFolders']): Promise<Recovered> {
    const recovered = await recover(this.#place(), {
      recordStops,
      settleHalts,
      ...(readFolders === undefined ? {} : { readFolders }),
    });
    if (!recovered.ok) throw new Error(recovered.error.message);
    return recovered.value;
  }

  /** Answers and resumes until the run is over. */
  async complete(tutti: Tutti): Promise<string> {
    for (let n = 0; n < 10; n += 1) {
      for (const { key } of await tutti.queries.openQuestions(runId)) {
        await tutti.store.answer(runId, key, { text: 'left', by: 'ann', at: 7 });
      }
      const state = (await tutti.queries.run(runId))?.state;
      if (state?.at === 'ended') return state.outcome;
      if (state?.at !== 'running') await resumeRun(tutti, runId, []);
      const end = await advanceRun(tutti, { runId, stay: false });
      if (!end.ok) return end.error.message;
    }
    return 'it does not end';
  }

  /** How often each turn that is paid began. */
  paid(): Readonly<Record<string, number>> {
    const lines = readFileSync(join(this.root, 'ledger'), 'utf8').split('\n');
    return Object.fromEntries(paidTurns.map((turn) => [turn, lines.filter((line) => line === turn).length]));
  }

  deleteDatabase(): void {
    for (const file of databaseFiles(this.database)) rmSync(file, { force: true });
  }

  putDatabase(bytes: Uint8Array): void {
    this.deleteDatabase();
    writeFileSync(this.database, bytes);
  }

  /** The database as it was after a transaction. */
  replaceBy(moment: number): void {
    this.putDatabase(readFileSync(this.moments[moment] ?? ''));
  }

  /** Nothing is kept but a copy that was made after a transaction. */
  keepOnly(moment: number): void {
    const { backups } = this;
    const copy = this.moments[moment] ?? '';
    using db = new DatabaseSync(copy);
    const row = db.prepare('select id from lineage').get();
    const id = String(row?.['id']);
    rmSync(backups.path, { recursive: true, force: true });
    copyFileSync(copy, backups.begin({ id, backup: 1 }));
    backups.finish({ id, backup: 1 }, Date.now());
  }

  /** Moves the folders of all sessions to the archive, as `tutti session archive` does. */
  archiveSessions(): void {
    const state = join(this.root, '.tutti');
    mkdirSync(join(state, 'archive'), { recursive: true });
    renameSync(join(state, 'sessions'), join(state, 'archive', 'sessions'));
  }

  /** The step of each session, as the undamaged database says. */
  stepsBySession(): ReadonlyMap<string, string> {
    using db = new DatabaseSync(this.moments.at(-1) ?? '', { readOnly: true });
    const rows = db.prepare('select id, key from sessions').all();
    return new Map(rows.map(({ id, key }) => [String(id), stepIdOf(String(key))]));
  }

  /** Removes the folder of a session: its end can no longer be read. */
  loseFolder(session: string): void {
    rmSync(join(this.root, '.tutti', 'sessions', session), { recursive: true, force: true });
  }

  forgetEverythingKept(): void {
    rmSync(this.backups.path, { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
    this.#saved[Symbol.dispose]();
  }

  #place() {
    const place = locate({ folder: this.root, env: this.env });
    if (!place.ok) throw new Error(place.error.message);
    return place.value;
  }

  #remember(): void {
    if (!existsSync(this.database)) return;
    const copy = join(this.#saved.path, `${this.moments.length}.db`);
    using db = new DatabaseSync(this.database, { readOnly: true });
    db.prepare('vacuum into ?').run(copy);
    // Whoever finds this copy later finds it without the process that wrote it, which is this one.
    using later = new DatabaseSync(copy);
    later.exec(`update holders set boot_id = 'earlier'`);
    this.moments.push(copy);
  }

  #write(): void {
    mkdirSync(this.root);
    mkdirSync(this.env.HOME);
    const config = { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } };
    writeFileSync(join(this.root, 'tutti.yaml'), stringify(config));
    writeFileSync(join(this.root, 'flow.yaml'), stringify(flow));
    writeFileSync(join(this.root, 'agent.sh'), agent);
  }
}

/** Everything that is kept aside after a recovery. */
export function damagedFiles(project: RecoveryProject): readonly string[] {
  const folder = join(project.root, '.tutti', 'damaged');
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
}
