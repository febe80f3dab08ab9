import type { Json } from '../../src/lib/json.ts';
import type { Workflow } from '../../src/kernel/ctx.ts';
import { Engine } from '../../src/kernel/engine.ts';
import type { Holder } from '../../src/model/holder.ts';
import type { Clock } from '../../src/model/ports/clock.ts';
import type { Host } from '../../src/model/ports/host.ts';
import type { NewRun, Store } from '../../src/model/ports/store.ts';

export function workflowsOf(...list: readonly Workflow[]): ReadonlyMap<string, Workflow> {
  return new Map(list.map((workflow) => [workflow.name, workflow]));
}

/** A process of the given number; alive until the test says otherwise. */
export function holder(n: number): Holder {
  return { id: `process-${n}`, host: 'here', pid: n, startTime: String(n), bootId: 'boot' };
}

export function engineOf(
  parts: Readonly<{
    store: Store;
    host: Host;
    clock: Clock;
    workflows: ReadonlyMap<string, Workflow>;
    me?: Holder;
    isAlive?: (holder: Holder) => boolean;
    leaseMs?: number;
  }>,
): Engine {
  return new Engine({ me: holder(1), isAlive: () => true, leaseMs: 30_000, ...parts });
}

export function newRun(id: string, workflow: string, input: Json = null, rest: Partial<NewRun> = {}): NewRun {
  return {
    id,
    workflow,
    input,
    limits: { depth: 5 },
    concurrency: 8,
    depth: 0,
    traceId: '0'.repeat(16),
    within: null,
    ...rest,
  };
}
