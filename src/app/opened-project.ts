import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { currentProcess, isAlive } from '../lib/process/identity.ts';
import { type ProcessTable, withAlive } from '../lib/process/process-table.ts';
import { system } from '../lib/process/system.ts';
import type { Redactor } from '../lib/redact.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { ProjectSettings } from '../model/config.ts';
import type { Holder } from '../model/holder.ts';
import type { CallerFacts } from '../model/ports/caller.ts';
import type { Clock } from '../model/ports/clock.ts';
import type { ProjectStore } from '../model/ports/project-store.ts';
import type { Queries, Snapshot } from '../model/ports/queries.ts';
import { noSessionLogs, type SessionLogs } from '../model/session-logs.ts';
import { realClock } from '../runtime/clock.ts';
import { lineageOf } from '../store/change-log.ts';
import { StoreUnavailable } from '../model/ports/store-unavailable.ts';
import { projectFile, type SettingsPlaces } from './config/default-settings.ts';
import { readSettings } from './config/read-settings.ts';
import { refuseProject } from './confinement.ts';
import { processCaller } from './people/process-caller.ts';
import { backupFolderOf, behindPorts, openSqlite } from './open-store.ts';
import { findProject, pathsOf, type ProjectPaths } from './project.ts';
import { faultBeforeOpening, faultOfOpened, hasDatabase, wasUsed } from './recovery/database-fault.ts';
import { refusal, refusalOfProblems, type Refusal, shownMistakes } from './refusal.ts';
import { KeptWishes } from './runs/kept-wishes.ts';
import { redactorOf } from './secrets/redactor-of.ts';
import type { OpenedStore } from './store-composition.ts';
import { type ProjectTrust, projectTrust, withoutForeignPrograms } from './trust/project-trust.ts';
import { refuseUnwritable } from './trust/refuse-unwritable.ts';
import { bindLineage, boundLineage, makeState, refuseState } from './trust/state-mark.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface OpenParams {
  readonly folder: string;
  readonly env: Environment;
  /** Who calls; absent: what the system says of this process. */
  readonly caller?: CallerFacts;
  /** Show one state; absent: each read sees the state as it is then. */
  readonly pinned?: boolean;
  /** Make the folder a project if it is none. */
  readonly create: boolean;
  /** A mistake in the configuration does not keep it closed: stopping must always be possible. */
  readonly despiteConfig?: boolean;
  /** Called with what is wrong in a `tutti.yaml` that no person trusted as it is, which is then ignored; absent: it is refused. */
  readonly onIgnored?: ((mistake: Refusal) => void) | undefined;
}

/** A run that no process advanced before this command started a conductor, which advances every such run. */
export interface AlsoContinued {
  readonly runId: string;
  /** The command that ends it. */
  readonly stop: string;
}

/** A project that this process has opened, for commands that look at it: it knows no driver and no workflow. */
export class OpenedProject implements Disposable {
  readonly paths: ProjectPaths;
  readonly config: ProjectSettings;
  readonly env: Environment;
  readonly caller: CallerFacts;
  /** What of the project counts. */
  readonly trust: ProjectTrust;
  /** Everything that leaves passes here: the database, views, the screen, the archive. */
  readonly redactor: Redactor;
  readonly store: ProjectStore;
  /** The state as it is at each call; after `pin` the state as it was then. */
  queries: Queries;
  readonly wishes: KeptWishes;
  readonly clock: Clock;
  /** What the system says of processes; a test has its own. After `pin`, holders that lived then are among the living. */
  processes: ProcessTable;
  readonly me: Holder;
  /** What sessions at work say in their logs. */
  logs: SessionLogs = noSessionLogs;
  /** What a conductor that this command started continues besides; null: the command started none. */
  alsoContinues: readonly AlsoContinued[] | null = null;
  /** Called before that conductor starts, if there are such runs. */
  onAlsoContinues: (runs: readonly AlsoContinued[]) => void = () => undefined;
  /** Runs of which the command itself says what keeps them from continuing: no remark after it says so again. */
  readonly toldRuns = new Set<string>();
  readonly #opened: OpenedStore;
  #snapshot: Snapshot | null = null;

  constructor(
    { paths, config, env, caller, trust, redactor }: ReadPlace,
    opened: OpenedStore,
    processes: ProcessTable = system(),
  ) {
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
    this.#opened = opened;
    this.store = opened.store;
    this.queries = opened.queries;
    this.wishes = new KeptWishes(paths, env, this.store);
  }

  /** From now on everything is read from one state: for a command that shows what it finds once. */
  async pin(): Promise<void> {
    if (this.#snapshot !== null) return;
    // A process that lived before the state was taken had not left what it holds there, however soon it leaves.
    const alive = (await this.queries.holders()).filter((holder) => isAlive(holder, this.processes));
    this.#snapshot = await this.#opened.queries.snapshot();
    this.queries = this.#snapshot;
    this.processes = withAlive(this.processes, alive);
  }

  /** Writes down what a command did that may have changed something. */
  writeAudit(): Promise<void> {
    return Promise.resolve();
  }

  [Symbol.dispose](): void {
    this.#snapshot?.[Symbol.dispose]();
    this.#opened[Symbol.dispose]();
  }
}

/** A project as its files describe it, before any database is opened or made. */
export type ReadPlace = Pick<OpenedProject, 'paths' | 'config' | 'env' | 'caller' | 'trust' | 'redactor'>;

interface FoundProject extends Pick<OpenedProject, 'paths' | 'env' | 'caller' | 'trust'> {
  /** Where its configuration is read from. */
  readonly places: SettingsPlaces & { readonly trust: ProjectTrust };
}

/** Finds the project around a folder, and what of it counts. */
export function findPlace({
  folder,
  env: given,
  caller = processCaller(given),
}: Pick<OpenParams, 'folder' | 'env' | 'caller'>): Result<FoundProject, Refusal> {
  const paths = pathsOf(findProject(folder));
  const foreign = refuseProject(paths.root, given);
  if (foreign !== null) return err(foreign);
  const trust = projectTrust(paths.root, given);
  const env = withoutForeignPrograms(given, paths.root);
  return ok({ paths, env, caller, trust, places: settingsPlaces({ paths, env, trust }) });
}

/** Where the configuration of a project is read from. */
export function settingsPlaces({
  paths,
  env,
  trust,
}: Pick<OpenedProject, 'paths' | 'env' | 'trust'>): FoundProject['places'] {
  return { projectDir: paths.root, env, home: env['HOME'] ?? homedir(), trust };
}

type ReadParams = Pick<OpenParams, 'folder' | 'env' | 'caller' | 'pinned' | 'onIgnored'>;

/** Opens the project to look at it; null where none has been made: then it has no runs and no sessions either. */
export async function openToRead(params: ReadParams): Promise<Result<OpenedProject | null, Refusal>> {
  const found = findPlace(params);
  if (!found.ok) return found;
  const { places: written, ...rest } = found.value;
  const first = await readSettings(written, rest.paths.mark);
  const ignoresProject = !first.ok && !written.trust.counts(projectFile);
  const places = { ...written, ignoresProject };
  const settings = ignoresProject ? await readSettings(places, rest.paths.mark) : first;
  // With a mistake in the person's own file too, both are reported.
  if (!settings.ok) return err(refuseConfig(first.ok ? settings.error : first.error));
  if (!first.ok) params.onIgnored?.(refuseConfig(first.error));
  const config = settings.value;
  if (!wasUsed(rest.paths)) {
    const fault = faultBeforeOpening(rest.paths, () => isLineageKept(rest));
    return fault === null ? ok(null) : err(fault);
  }
  const place = { ...rest, config, redactor: redactorOf(config, rest.env) };
  const opened = openState(place, false, (store) => new OpenedProject(place, store));
  if (!opened.ok) return opened;
  const unread = await readLogs(opened.value, places, params.pinned === true);
  if (unread === null) return opened;
  opened.value[Symbol.dispose]();
  return err(unread);
}

/** Takes the state to show, and loads the drivers that read logs where a session is at work. Returns why they cannot be read; null: nothing is wrong. */
async function readLogs(
  project: OpenedProject,
  places: FoundProject['places'],
  pinned: boolean,
): Promise<Refusal | null> {
  try {
    if (pinned) await project.pin();
    if ((await project.queries.sessions.launched()).length === 0) return null;
  } catch (error) {
    return refuseUse(project.paths, error);
  }
  const { logsByDrivers } = await import('./sessions/session-logs.ts');
  const logs = logsByDrivers(project, places);
  if (!logs.ok) return refuseConfig(logs.error);
  project.logs = logs.value;
  return null;
}

export function refuseConfig(problems: Parameters<typeof refusalOfProblems>[0]): Refusal {
  return refusalOfProblems(problems, 'fix the file, then run: tutti doctor', shownMistakes);
}

/** Whether something is kept of the database that this state had, whatever became of the file. */
function isLineageKept({ paths, env }: Pick<ReadPlace, 'paths' | 'env'>): boolean {
  const id = boundLineage(paths, env);
  return id !== null && backupFolderOf(paths, env).lineages().includes(id);
}

/** Opens the state of a project, made if `create` says so; `make` opens the project on it. */
export function openState<T extends OpenedProject>(
  place: ReadPlace,
  create: boolean,
  make: (store: OpenedStore) => T,
): Result<T, Refusal> {
  const { paths, env } = place;
  const fault = refuseState(paths, env) ?? faultBeforeOpening(paths, () => isLineageKept(place));
  if (fault !== null) return err(fault);
  if (!create && !existsSync(paths.database)) {
    if (backupFolderOf(paths, env).lineages().length > 0)
      return err(
        refusal('USAGE', `the state of ${paths.root} was removed`, 'restore its runs: tutti recover'),
      );
    return err(
      refusal(
        'USAGE',
        `there are no runs in ${paths.root}`,
        'start one with: tutti run FILE, or try: tutti demo',
      ),
    );
  }
  const unwritable = create ? refuseUnwritable(paths, env, false) : null;
  if (unwritable !== null) return err(unwritable);
  try {
    if (create) makeState(paths, env);
    const bound = hasDatabase(paths) ? boundLineage(paths, env) : null;
    const store = openSqlite(place);
    const wrong = faultOfOpened(paths, store, bound);
    if (wrong === null && create) bindLineage(paths, env, lineageOf(store.db).id);
    if (wrong === null) return ok(make(behindPorts(store)));
    store[Symbol.dispose]();
    return err(wrong);
  } catch (error) {
    return err(refuseUse(paths, error));
  }
}

function refuseUse({ state }: Pick<ProjectPaths, 'state'>, error: unknown): Refusal {
  if (error instanceof StoreUnavailable) return refusal('UNAVAILABLE', error.message, error.hint);
  const message = error instanceof Error ? error.message : String(error);
  return refusal('UNAVAILABLE', `cannot use ${state}: ${message}`, `check its owner: ls -lad ${state}`);
}
