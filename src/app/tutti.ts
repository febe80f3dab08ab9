import { join } from 'node:path';
import type { Engine } from '../kernel/engine.ts';
import { isAlive } from '../lib/process/identity.ts';
import type { ProcessTable } from '../lib/process/process-table.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Config } from '../model/config.ts';
import type { Holder } from '../model/holder.ts';
import { type Lease, leaseMs } from '../model/lease.ts';
import { outlinesByName } from '../model/outline.ts';
import { projectFile } from './config/default-settings.ts';
import { defaultConfig, loadConfig } from './config/load-config.ts';
import { keepSettings, keptSettings } from './config/kept-settings.ts';
import { loadSettings } from './config/load-settings.ts';
import { isConfigured } from './config/read-settings.ts';
import type { LocalHost } from './host/local-host.ts';
import {
  findPlace,
  OpenedProject,
  type OpenParams,
  openState,
  type ReadPlace,
  refuseConfig,
  settingsPlaces,
} from './opened-project.ts';
import { wasUsed } from './recovery/database-fault.ts';
import { writePlanViews } from './plans/plan-views.ts';
import type { Refusal } from './refusal.ts';
import { redactorOf } from './secrets/redactor-of.ts';
import { AuditLog } from './sessions/audit-log.ts';
import { sessionLogs } from './sessions/session-logs.ts';
import type { OpenedStore } from './store-composition.ts';
import { ViewWriter } from './views/view-writer.ts';

/** The composition root: a project opened by this process, with everything that works in it. */
export class Tutti extends OpenedProject {
  declare readonly config: Config;
  readonly audit: AuditLog;

  constructor(place: Place, opened: OpenedStore, processes?: ProcessTable) {
    super(place, opened, processes);
    const { store, queries, paths } = this;
    this.audit = new AuditLog({
      store,
      queries,
      logs: paths.logs,
      lock: join(paths.state, 'locks', 'audit'),
    });
    this.logs = sessionLogs(this);
  }

  /** Loaded when it is needed, as the host is: most commands only look. `takesOver`: which living holders it replaces. */
  async engine(takesOver: (holder: Holder) => boolean = () => false): Promise<Engine> {
    const { store, clock, me, wishes } = this;
    const { firstTurn } = this.config;
    const lives = (holder: Holder): boolean => isAlive(holder) && !takesOver(holder);
    const [{ Engine }, { workflows }, host] = await Promise.all([
      import('../kernel/engine.ts'),
      import('./workflows.ts'),
      this.host(),
    ]);
    return new Engine({ store, host, clock, workflows, me, isAlive: lives, leaseMs, wishes, firstTurn });
  }

  /** For a command that records a run and advances it next. */
  lease(): Lease {
    return { holder: this.me, until: this.clock.monotonic() + leaseMs };
  }

  async host(): Promise<LocalHost> {
    const { LocalHost } = await import('./host/local-host.ts');
    const { paths, config, env, trust, redactor, queries, store, clock } = this;
    const parts = { paths, config, env, trust, redactor, clock, queries, store };
    return new LocalHost(parts, this.wishes, async () => {
      const { planOperations } = await import('./plans/operations/plan-operations.ts');
      return planOperations;
    });
  }

  views(): ViewWriter {
    return new ViewWriter(this, outlinesByName, (plan) => writePlanViews(this, plan));
  }

  /** Halts executions of plans that are to halt, until it is disposed of. */
  async heedHalts(): Promise<AsyncDisposable> {
    const { heedHalts } = await import('./plans/operations/halts.ts');
    return heedHalts(this);
  }

  override writeAudit(): Promise<void> {
    return this.audit.write();
  }
}

/** A project as its files describe it, before any database is opened or made. */
export interface Place extends ReadPlace {
  readonly config: Config;
}

/** Finds the project and loads its configuration, as far as it counts. */
export function locate({
  despiteConfig = false,
  onIgnored,
  ...params
}: Omit<OpenParams, 'create'>): Result<Place, Refusal> {
  const found = findPlace(params);
  if (!found.ok) return found;
  const { places, ...rest } = found.value;
  const first = loadConfig(places);
  const ignoresProject = onIgnored !== undefined && !first.ok && !places.trust.counts(projectFile);
  const loaded = ignoresProject ? loadConfig({ ...places, ignoresProject }) : first;
  // With a mistake in the person's own file too, both are reported.
  if (!loaded.ok && !despiteConfig) return err(refuseConfig(first.ok ? loaded.error : first.error));
  if (!first.ok && ignoresProject) onIgnored(refuseConfig(first.error));
  const config = loaded.ok ? loaded.value : defaultConfig(places);
  return ok({ ...rest, config, redactor: redactorOf(config, rest.env) });
}

export function openTutti({ create, ...params }: OpenParams): Result<Tutti, Refusal> {
  const place = locate(params);
  if (!place.ok) return place;
  const opened = openState(place.value, create, (store) => new Tutti(place.value, store));
  if (opened.ok) keepCheckedSettings(place.value);
  return opened;
}

/** For commands that only look. */
function keepCheckedSettings(place: Place): void {
  const places = settingsPlaces(place);
  const { mark } = place.paths;
  if (!isConfigured(places) || keptSettings(places, mark) !== null) return;
  const settings = loadSettings(places);
  if (settings.ok) keepSettings(places, mark, settings.value);
}

/** The project, or null where none has been made: then it has no sessions either. */
export function openIfMade(params: Omit<OpenParams, 'create'>): Result<Tutti | null, Refusal> {
  const place = locate(params);
  if (!place.ok || !wasUsed(place.value.paths)) return place.ok ? ok(null) : place;
  return openState(place.value, false, (store) => new Tutti(place.value, store));
}

export type CallerParams = Omit<OpenParams, 'caller'>;

/** Opens a project for another program, which cannot say who calls: below an agent it decides nothing. */
export function openForCaller({ folder, env, create, despiteConfig }: CallerParams): Result<Tutti, Refusal> {
  return openTutti({ folder, env, create, ...(despiteConfig === undefined ? {} : { despiteConfig }) });
}
