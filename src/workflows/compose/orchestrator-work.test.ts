import { expect, test, vi } from 'vitest';
import { World } from '../../../test/conformance/world.ts';
import { sqliteMemory } from '../../../test/conformance/subjects.ts';
import { type Json, plain, recorded } from '../../lib/json.ts';
import type {
  OrchestratorInput,
  OrchestratorValue,
  StageCall,
} from '../../model/compose/orchestrator-call.ts';
import type { Completion } from '../../model/entry.ts';
import type { Failure } from '../../model/failure.ts';
import { rootStepOf, stepIdOf } from '../../model/key.ts';
import { type BadOutcome, outcomes } from '../../model/outcome.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import type * as propagations from '../../model/propagation.ts';
import { unknownUsage } from '../../model/usage.ts';
import { composeWorkflow } from './compose.ts';

/** The outcome whose row is replaced by one that absorbs it. */
const planted = vi.hoisted(() => ({ outcome: '' }));

vi.mock('../../model/propagation.ts', async (original) => {
  const real = await original<typeof propagations>();
  return {
    ...real,
    propagationOf: (...args: Parameters<typeof real.propagationOf>) =>
      args[1] === planted.outcome ? 'absorb' : real.propagationOf(...args),
  };
});

const stage = (name: string, more: Partial<StageCall> = {}): StageCall => ({
  name,
  needs: name === 'b' ? ['a'] : [],
  inputs: [],
  required: true,
  retryMax: 1,
  onDepth: 'abort',
  compressible: false,
  call: {
    executor: 'spec',
    action: 'PLAN',
    args: [name],
    chosen: { tier: null, model: null, tools: null, driver: null },
    agent: { name: 'spec', systemPrompt: 'x', driver: 'mine', tier: 'low', result: 'required' },
    rules: { writes: null, gates: [], timeoutMs: 1000, answers: [] },
  },
  ...more,
});

const input = (stages: readonly StageCall[]): Json => {
  const called: OrchestratorInput = {
    layer: 'orchestrator',
    projectDir: '/p',
    cwd: '',
    context: [],
    from: { parent: null, requester: 'user:ada' },
    source: 'orchestrator two',
    orchestrator: 'two',
    modifier: 'full',
    stages,
    judges: {},
    levels: 2,
  };
  return plain(called);
};

/** Turns of stage `a` end with that outcome, and those of other stages succeed. Each look at the files finds new ones. */
function answer(outcome: string): (attempt: LaunchedAttempt) => Completion {
  let looks = 0;
  return ({ key, kind, spec, sessionId }) => {
    const operation = recorded<{ readonly name?: string }>(spec).name;
    if (kind === 'session') {
      const own = rootStepOf(key) === 'two.a' ? outcome : 'SUCCESS';
      if (own === 'DEPTH_EXCEEDED' || own === 'BUDGET_EXCEEDED') {
        const reason = own === 'DEPTH_EXCEEDED' ? 'depth' : 'budget';
        return { at: 'failed', failure: { outcome: own, reason, message: 'refused' } };
      }
      return { at: 'done', outcome: 'SUCCESS', value: turn(own, sessionId) };
    }
    looks += 1;
    const files = {
      commit: `c${looks}`,
      at: 0,
      tree: `t${looks}`,
      changed: [`f${looks}`],
      differs: [`f${looks}`],
      missing: [],
      found: [],
      ignored: [],
    };
    if (operation === 'files-record') return { at: 'done', outcome: 'SUCCESS', value: files };
    if (operation === 'files-restore')
      return { at: 'done', outcome: 'SUCCESS', value: { restored: [], rescue: 'refs/x' } };
    return { at: 'done', outcome: 'SUCCESS', value: 'digest' };
  };
}

function turn(outcome: string, sessionId: string | null): Json {
  const failure: Failure | null =
    outcome === 'SUCCESS'
      ? null
      : { outcome: outcome as BadOutcome, reason: 'reported', message: `it ended with ${outcome}` };
  const result = { status: 'success', summary: '', artifacts: [], notes: [], questions: [], usage: null };
  return plain({
    outcome,
    stop: 'finished',
    sessionId,
    result: outcome === 'SUCCESS' ? result : null,
    text: '',
    toolCalls: 0,
    denials: 0,
    usage: unknownUsage,
    conversation: null,
    hookBlocks: 0,
    exitCode: 0,
    failure,
    resetAt: null,
  });
}

/** How the run ends, how often stage `a` was tried, and whether stage `b` ran. */
async function play(outcome: string, required: boolean) {
  using world = new World(sqliteMemory);
  world.host.auto = answer(outcome);
  world.define('w', (ctx, json) => composeWorkflow.run(ctx, json));
  await world.start('r', input([stage('a', { required }), stage('b')]));
  const value = recorded<OrchestratorValue>(await world.value(world.engine().advance('r', { stay: true })));
  const ids = world.host.launches.map((id) => stepIdOf(id.split('#')[1] ?? ''));
  const tries = ids.filter((id) => /^two\.a(?:\/retry-\d+)?$/.test(id)).length;
  return {
    outcome: value.outcome,
    tries,
    next: ids.includes('two.b'),
    code: value.manifest.summary.exit_code,
  };
}

const retried: ReadonlySet<string> = new Set(['FAILURE', 'TIMEOUT']);
const raised: ReadonlySet<string> = new Set([
  'DEPTH_EXCEEDED',
  'INTERRUPTED',
  'BUDGET_EXCEEDED',
  'HALTED',
  'USAGE',
  'UNAVAILABLE',
]);

test.for(outcomes)(
  'a stage that ends with %s is tried, absorbed or handed up as the table says',
  async (outcome) => {
    const tries = retried.has(outcome) ? 2 : 1;
    const isGood = outcome === 'SUCCESS';
    expect(await play(outcome, true)).toMatchObject({ outcome, tries, next: isGood });
    const isRaised = raised.has(outcome);
    expect(await play(outcome, false)).toMatchObject({
      outcome: isGood || isRaised ? outcome : 'PARTIAL_SUCCESS',
      tries,
      next: !isRaised,
    });
  },
);

test('control: a row that absorbs exit 2 is seen', async () => {
  planted.outcome = 'DEPTH_EXCEEDED';
  try {
    expect(await play('DEPTH_EXCEEDED', false)).toMatchObject({ outcome: 'PARTIAL_SUCCESS', next: true });
  } finally {
    planted.outcome = '';
  }
  expect(await play('DEPTH_EXCEEDED', false)).toMatchObject({
    outcome: 'DEPTH_EXCEEDED',
    next: false,
    code: 2,
  });
});

test('a killed process repeats no turn, and finds the same manifest', async () => {
  const whole = await play('FAILURE', true);
  for (const after of [1, 3, 5, 8]) {
    using world = new World(sqliteMemory);
    const auto = answer('FAILURE');
    let launches = 0;
    world.host.auto = (attempt) => {
      launches += 1;
      if (launches === after) world.kill(1);
      return auto(attempt);
    };
    world.define('w', (ctx, json) => composeWorkflow.run(ctx, json));
    await world.start('r', input([stage('a'), stage('b')]));
    void world
      .engine(1)
      .advance('r', { stay: true })
      .catch(() => undefined);
    await world.quiet();
    const value = recorded<OrchestratorValue>(
      await world.value(world.engine(2).advance('r', { stay: true })),
    );
    expect(value.outcome).toBe(whole.outcome);
    const turns = world.host.launches.filter((id) => !/\/(?:before|files|next|put-back|artifacts)@/.test(id));
    expect(new Set(turns).size).toBe(turns.length);
  }
});
