import type { AuditStore } from './audit-store.ts';
import type { ConductorStore } from './conductor-store.ts';
import type { PlanStore } from './plan-store.ts';
import type { RecoveryRecords } from './recovery-records.ts';
import type { Store } from './store.ts';

/** Every transition of a project. Arguments and results are plain data, so that the store could be another process. */
export interface ProjectStore extends Store, PlanStore, AuditStore, ConductorStore, RecoveryRecords {}
