import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { currentProcess, isAlive } from '../lib/process/identity.ts';
import type { ProcessTable } from '../lib/process/process-table.ts';
import { system } from '../lib/process/system.ts';
import type { Redactor } from '../lib/redact.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Engine } from '../kernel/engine.ts';
import type { Config } from '../model/config.ts';
import type { Holder, Lease } from '../model/holder.ts';
import type { CallerFacts } from '../model/ports/caller.ts';
import type { Clock } from '../model/ports/clock.ts';
import { realClock } from '../runtime/clock.ts';
import { StoreUnavailable } from '../store/errors.ts';
import { Queries } from '../store/queries.ts';
import { BackupFolder } from '../store/backup-folder.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import { defaultConfig, loadConfig } from './config/load-config.ts';
import type { LocalHost } from './host/local-host.ts';
import { processCaller } from './people/process-caller.ts';
import { findProject, pathsOf, type ProjectPaths } from './project.ts';
import { redactorOf } from './secrets/redactor-of.ts';
import { faultBeforeOpening, faultOfOpened, hasDatabase } from './recovery/database-fault.ts';
import { refuseProject } from './confinement.ts';
import { refusal, refusalOfProblems, type Refusal } from './refusal.ts';
import { stateFolder } from './state-folder.ts';
import { AuditLog } from './sessions/audit-log.ts';
import { type ProjectTrust, projectTrust, withoutForeignPrograms } from './trust/project-trust.ts';
import { bindLineage, boundLineage, makeState, refuseState } from './trust/state-mark.ts';
import { KeptWishes } from './runs/kept-wishes.ts';
import { ViewWriter } from './views/view-writer.ts';
import { workflows } from './workflows.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface OpenParams {
  readonly folder: string;
  readonly env: Environment;
  /** Who calls; absent: what the system says of this process. */
  readonly caller?: CallerFacts;
  /** Make the folder a project if it is none. */
  readonly create: boolean;
  /** A mistake in the configuration does not keep it closed: stopping must always be possible. */
  readonly despiteConfig?: boolean;
}

/** A process that vanished is replaced at once; this is only for one that lives and is stuck. */
const leaseMs = 30_000;

/** The composition root: a project opened by this process. */
export class Tutti implements Disposable {
  readonly paths: ProjectPaths;
  readonly config: Config;
  readonly env: Environment;
  readonly caller: CallerFacts;
  /** What of the project counts. */
  readonly trust: ProjectTrust;
  /** Everything that leaves passes here: the database, views, the screen, the archive. */
  readonly redactor: Redactor;
  readonly store: SqliteStore;
  readonly queries: Queries;
  readonly audit: AuditLog;
  readonly wishes: KeptWishes;
  readonly clock: Clock;
  /** What the system says of processes; a test has its own. */
  readonly processes: ProcessTable;
  readonly me: Holder;

  constructor({ paths, config, env, caller, trust, redactor }: Place, processes: ProcessTable = system()) {
    this.paths = paths;
    this.trust = trust;
    this.config = config;
    this.env = env;
    this.caller = caller;
    this.redactor = redactor;
    this.clock = realClock();
    this.processes = processes;
    // The random part tells two engines of one process apart.
    this.me = { ...currentProcess(), id: `${process.pid}-${randomBytes(4).toString('hex')}` };
    const { maxSessions } = config;
    const { clock } = this;
    const backups = backupFolderOf(paths, env);
    this.store = new SqliteStore({ path: paths.database, clock, maxSessions, isAlive, redactor, backups });
    this.queries = new Queries(this.store.db);
    this.wishes = new KeptWishes(paths, env, this.store);
    this.audit = new AuditLog({ store: this.store, queries: this.queries, logs: paths.logs });
  }

  /** Loaded when it is needed, as the host is: most commands only look. `takesOver`: which living holders it replaces. */
  async engine(takesOver: (holder: Holder) => boolean = () => false): Promise<Engine> {
    const { store, clock, me, wishes } = this;
    const { firstTurn } = this.config;
    const lives = (holder: Holder): boolean => isAlive(holder) && !takesOver(holder);
    const [{ Engine }, host] = await Promise.all([import('../kernel/engine.ts'), this.host()]);
    return new Engine({ store, host, clock, workflows, me, isAlive: lives, leaseMs, wishes, firstTurn });
  }

  /** For a command that records a run and advances it next. */
  lease(): Lease {
    return { holder: this.me, until: this.clock.monotonic() + leaseMs };
  }

  async host(): Promise<LocalHost> {
    const { LocalHost } = await import('./host/local-host.ts');
    const { paths, config, env, trust, redactor, queries, store, clock } = this;
    return new LocalHost({ paths, config, env, trust, redactor, clock, queries, store });
  }

  views(): ViewWriter {
    return new ViewWriter(this, workflows);
  }

  [Symbol.dispose](): void {
    this.store[Symbol.dispose]();
  }
}

/** Where copies of a project's database are kept. */
export function backupFolderOf({ mark }: Pick<ProjectPaths, 'mark'>, env: Environment): BackupFolder {
  return new BackupFolder(join(stateFolder(env), 'backups', mark));
}

/** A project as its files describe it, before any database is opened or made. */
export type Place = Pick<Tutti, 'paths' | 'config' | 'env' | 'caller' | 'trust' | 'redactor'>;

/** Finds the project and loads its configuration, as far as it counts. */
export function locate({
  folder,
  env: given,
  caller = processCaller(given),
  despiteConfig = false,
}: Omit<OpenParams, 'create'>): Result<Place, Refusal> {
  const paths = pathsOf(findProject(folder));
  const foreign = refuseProject(paths.root, given);
  if (foreign !== null) return err(foreign);
  const trust = projectTrust(paths.root, given);
  const env = withoutForeignPrograms(given, paths.root);
  const places = { projectDir: paths.root, env, home: env['HOME'] ?? homedir(), trust };
  const loaded = loadConfig(places);
  if (!loaded.ok && !despiteConfig) {
    return err(refusalOfProblems([loaded.error], 'fix the file, then run: tutti doctor'));
  }
  const config = loaded.ok ? loaded.value : defaultConfig(places);
  return ok({ paths, config, env, caller, trust, redactor: redactorOf(config, env) });
}

export function openTutti({
  folder,
  env,
  caller = processCaller(env),
  create,
  despiteConfig = false,
}: OpenParams): Result<Tutti, Refusal> {
  const place = locate({ folder, env, caller, despiteConfig });
  if (!place.ok) return place;
  const { paths } = place.value;
  const fault = refuseState(paths, place.value.env) ?? faultBeforeOpening(paths);
  if (fault !== null) return err(fault);
  if (!create && !existsSync(paths.database)) {
    return err(
      refusal(
        'USAGE',
        `there are no runs in ${paths.root}`,
        'start one with: tutti run FILE, or try: tutti demo',
      ),
    );
  }
  try {
    if (create) makeState(paths, place.value.env);
    const bound = hasDatabase(paths) ? boundLineage(paths, place.value.env) : null;
    const tutti = new Tutti(place.value);
    const wrong = faultOfOpened(paths, tutti.store, bound);
    if (wrong === null && create) bindLineage(paths, place.value.env, tutti.store.lineage().id);
    if (wrong === null) return ok(tutti);
    tutti[Symbol.dispose]();
    return err(wrong);
  } catch (error) {
    if (error instanceof StoreUnavailable) return err(refusal('UNAVAILABLE', error.message, error.hint));
    const message = error instanceof Error ? error.message : String(error);
    return err(
      refusal(
        'UNAVAILABLE',
        `cannot use ${paths.state}: ${message}`,
        `check its owner: ls -lad ${paths.state}`,
      ),
    );
  }
}

export type CallerParams = Omit<OpenParams, 'caller'>;

/** Opens a project for another program, which cannot say who calls: below an agent it decides nothing. */
export function openForCaller({ folder, env, create, despiteConfig }: CallerParams): Result<Tutti, Refusal> {
  return openTutti({ folder, env, create, ...(despiteConfig === undefined ? {} : { despiteConfig }) });
}
