import { Engine } from '../src/kernel/engine.ts';
import type { Holder } from '../src/model/holder.ts';
import type { Clock } from '../src/model/ports/clock.ts';
import type { Host } from '../src/model/ports/host.ts';
import type { NewRun } from '../src/model/ports/store.ts';
import { SqliteStore } from '../src/store/sqlite-store.ts';
import { flowWorkflow } from '../src/workflows/flow/flow.ts';
import { realClock } from '../src/runtime/clock.ts';
import type { Json } from '../src/lib/json.ts';
import type { FlowInput, FlowStep } from '../src/model/flow.ts';
import { plain } from '../src/lib/json.ts';
import type { Graph } from './graphs.ts';

/** Nobody asks the system about this one: it lives as long as the benchmark. */
const me: Holder = { id: 'bench', host: 'here', pid: 1, startTime: '1', bootId: 'boot' };

const leaseMs = 30_000;

export function storeAt(path: string, clock: Clock = realClock()): SqliteStore {
  return new SqliteStore({ path, clock, maxSessions: 100, isAlive: () => true });
}

export function engineOn(store: SqliteStore, host: Host, clock: Clock = realClock()): Engine {
  const workflows = new Map([[flowWorkflow.name, flowWorkflow]]);
  return new Engine({ store, host, clock, workflows, me, isAlive: () => true, leaseMs });
}

export function flowRun(id: string, graph: Graph, concurrency: number): NewRun {
  const steps = graph.map(
    ({ id: step, needs }): FlowStep => ({
      id: step,
      needs,
      work: { kind: 'command', argv: ['/bin/true'] },
      cwd: '.',
      inputs: [],
      gates: [],
      retryMax: 0,
      timeoutMs: null,
      required: true,
      estimateMs: null,
    }),
  );
  const input: FlowInput = {
    flow: { name: 'bench', concurrency, budget: {}, steps },
    projectDir: '/nowhere',
    agents: {},
    inputDigests: {},
    sessionTimeoutMs: 3_600_000,
  };
  return newRun(id, flowWorkflow.name, plain(input), concurrency);
}

export function newRun(id: string, workflow: string, input: Json, concurrency: number): NewRun {
  return {
    id,
    workflow,
    input,
    limits: { depth: 5 },
    concurrency,
    depth: 0,
    traceId: '0'.repeat(16),
    within: null,
  };
}

export async function claimed(store: SqliteStore, runId: string): Promise<{ runId: string; epoch: number }> {
  const claim = await store.claim(runId, { me, monotonic: 0, gone: [] }, leaseMs);
  if (claim.at !== 'claimed') throw new Error(`run ${runId}: ${claim.at}`);
  return { runId, epoch: claim.image.run.epoch };
}
