import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { checkFlow } from '../../src/app/runs/start-flow.ts';
import { continueSession } from '../../src/app/session-control/continue.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { identify } from '../../src/lib/process/identity.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { cheap, ExecuteProject, runId as executeRun } from '../execute/project.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { until } from '../rig/attempt-rig.ts';
import { writeProject } from '../rig/program.ts';
import { startFlow } from '../rig/trust.ts';
import { SessionProject } from './project.ts';
import { undriven } from './undriven.ts';

const slow = { timeout: 300_000 };

/** Stands in for codex: names its conversation, notes each start, and ends without a result worth reading. */
const codex = `#!/bin/sh
prompt=$(cat)
echo "$TUTTI_SESSION_ID" >> "$TUTTI_PROJECT/ledger"
echo '{"type":"thread.started","thread_id":"thread-'"$TUTTI_SESSION_ID"'"}'
case $prompt in *"wait go"*) while [ ! -e "$TUTTI_PROJECT/go" ]; do sleep 0.05; done ;; esac
echo '{"type":"item.completed","item":{"type":"agent_message","text":"hm"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
`;

const config = {
  driver: 'codex',
  sandbox: 'off',
  drivers: { codex: { type: 'codex', program: './codex.sh' } },
};

function project(steps: readonly object[]): SessionProject {
  const made = new SessionProject(config);
  writeProject(made.path, { 'codex.sh': codex, 'flow.yaml': { name: 'f', steps } });
  chmodSync(join(made.path, 'codex.sh'), 0o755);
  return made;
}

const work = (more: object) => ({ id: 'work', agent: 'worker', ...more });

async function newest(tutti: Tutti, run: string): Promise<string> {
  return (await tutti.queries.sessions.ofRun(run)).at(-1)?.id ?? '';
}

/** Starts the run `r`, or amends it, and does not advance it. */
async function startOnly(tutti: Tutti, { path }: SessionProject): Promise<void> {
  const request = { file: 'flow.yaml', folder: path, runId: 'r', maxParallel: null, refresh: false };
  const flow = checkFlow(request);
  if (!flow.ok) throw new Error(flow.error.message);
  expect(await startFlow(tutti, flow.value, request)).toMatchObject({ ok: true });
}

test(
  'a session of a step is not continued while its run waits for a person, and is when the run has ended',
  slow,
  async () => {
    await using made = project([work({ prompt: 'Work.', gates: [{ approval: 'Is it good?' }] })]);
    const type = (...words: readonly string[]): Promise<CliEnd> =>
      cli({ folder: made.path, stdin: '' }, ...words);
    expect((await type('run', 'flow.yaml', '--run-id', 'r')).code).toBe(3);
    const tutti = made.open();
    const step = await newest(tutti, 'r');
    expect(await type('session', 'continue', step, 'more')).toMatchObject({
      code: 3,
      err:
        `tutti: session ${step} belongs to work of run r, which is not over\n` +
        '  → answer what it asks: tutti answer Q1 TEXT (tutti inbox shows what it offers)\n',
    });
    expect(made.ledger()).toEqual([step]);
    const [asked] = await tutti.queries.openQuestions('r');
    const yes = asked?.question.options?.[0] ?? '';
    await tutti.store.answer('r', asked?.key ?? '', { text: yes, by: 'test', at: 1 });
    expect(await advanceRun(tutti, { runId: 'r', stay: false })).toEqual({ ok: true, value: 'SUCCESS' });
    // Control: the refusal is about the run and not about the session.
    const continued = await type('session', 'continue', step, 'more');
    expect(continued.code).toBe(0);
    const next = /Session created: (\S+)/.exec(continued.out)?.[1] ?? '';
    await type('session', 'wait', next);
    expect(made.ledger()).toEqual([step, next]);
    // The run gets another step: what continues the step's conversation belongs to it again.
    const more = { id: 'more', needs: ['work'], command: ['true'] };
    const steps = [work({ prompt: 'Work.', gates: [{ approval: 'Is it good?' }] }), more];
    writeProject(made.path, { 'flow.yaml': { name: 'f', steps } });
    await startOnly(tutti, made);
    const again = await continueSession(tutti, { id: next, text: 'more', maxDurationMs: null });
    expect(again).toMatchObject({
      ok: false,
      error: { message: `session ${next} belongs to work of run r, which is not over` },
    });
    expect(made.ledger()).toEqual([step, next]);
    expect(await advanceRun(tutti, { runId: 'r', stay: false })).toEqual({ ok: true, value: 'SUCCESS' });
  },
);

test(
  'a lost session of a run that no process advances is not continued, and the run is named',
  slow,
  async () => {
    await using made = project([work({ prompt: 'wait go' })]);
    await using conductor = await undriven(made);
    const { tutti } = conductor;
    await startOnly(tutti, made);
    using engine = await tutti.engine();
    await engine.advance('r', { stay: false, handOver: true });
    const step = await newest(tutti, 'r');
    await until('its agent works', () => made.ledger().includes(step));
    const started = readFileSync(join(made.path, '.tutti', 'sessions', step, 'started'), 'utf8');
    const pid = Number(/^started (\d+) /.exec(started)?.[1]);
    process.kill(-pid, 'SIGKILL');
    await until('its launcher is gone', () => identify(pid) === null);
    expect(await cli({ folder: made.path }, 'session', 'continue', step, 'more')).toMatchObject({
      code: 64,
      err: expect.stringContaining(
        `session ${step} belongs to work of run r, which is not over\n  → continue the run: tutti resume r\n`,
      ),
    });
    expect(made.ledger()).toEqual([step]);
    await cli({ folder: made.path }, 'stop', 'r');
  },
);

test("a session of a plan's task is not continued before its run has ended", slow, async () => {
  using made = new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
  made.rules({ 'T001/verify': { verdict: 'none' }, 'T001/verify-again': { verdict: 'none' } });
  using tutti = made.open();
  await made.playIn(tutti, { tasks: ['T001'] });
  const [executor] = await tutti.queries.sessions.ofRun(executeRun);
  const ran = made.ledger();
  expect(
    await continueSession(tutti, { id: executor?.id ?? '', text: 'more', maxDurationMs: null }),
  ).toMatchObject({
    ok: false,
    error: {
      outcome: 'HUMAN_INPUT',
      message: `session ${executor?.id} belongs to T001 of run ${executeRun}, which is not over`,
      hint: expect.stringContaining('tutti answer Q1'),
    },
  });
  expect(made.ledger()).toEqual(ran);
});
