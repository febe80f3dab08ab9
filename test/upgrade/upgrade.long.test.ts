import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { Replay } from '../../src/kernel/replay.ts';
import { startExecute } from '../../src/app/plans/executing/start-execute.ts';
import { prepareExecute } from '../../src/app/plans/executing/prepare-execute.ts';
import { findPlan } from '../../src/app/plans/find-plan.ts';
import { preparePlan, startPlan } from '../../src/app/plans/planning/start-plan.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { identify } from '../../src/lib/process/identity.ts';
import { oldOperationNames } from '../../src/model/operations.ts';
import { declareStarted, readStart, recordEnd } from '../../src/runtime/attempt-files.ts';
import { until } from '../rig/attempt-rig.ts';
import { order } from '../planning/project.ts';
import { OldPlace, type Release, releases, type Scenario } from './old-project.ts';
import { unpackFolder } from './packed-folder.ts';
import { openTutti } from '../rig/trust.ts';

const slow = { timeout: 300_000 };

/** A project that an earlier release left behind, in front of this program. */
class OldProject implements AsyncDisposable {
  readonly place: OldPlace;
  readonly tutti: Tutti;
  #seen: number;

  private constructor(place: OldPlace) {
    this.place = place;
    unpackFolder(
      readFileSync(fileURLToPath(new URL(`fixtures/${place.release}/${place.scenario}.br`, import.meta.url))),
      place.home,
    );
    const opened = openTutti({ folder: place.project, env: place.env(), create: false });
    if (!opened.ok) throw new Error(opened.error.message);
    this.tutti = opened.value;
    this.#seen = place.ledger().length;
  }

  static async open(scenario: Scenario, release: Release = 'a95b277'): Promise<OldProject> {
    return new OldProject(await OldPlace.take(release, scenario));
  }

  /** Turns that began since the last drive. */
  async drive(runId: string): Promise<{ readonly outcome: string; readonly ran: readonly string[] }> {
    const end = await advanceRun(this.tutti, { runId, stay: false });
    const ran = this.place.turns(this.#seen);
    this.#seen = this.place.ledger().length;
    return { outcome: end.ok ? end.value : end.error.message, ran };
  }

  async answer(runId: string, text: string): Promise<void> {
    const [question] = await this.tutti.queries.openQuestions(runId);
    if (question === undefined) throw new Error(`${runId} asks nothing`);
    await this.tutti.store.answer(runId, question.key, { text, by: 'ann', at: 7 });
  }

  /** `tutti plan numerals.md` once more. */
  async planAgain(change: Partial<typeof order> = {}): Promise<void> {
    const prepared = preparePlan(
      this.tutti,
      { ...order, targetDir: null, folder: this.place.project, ...change },
      ['numerals'],
    );
    if (!prepared.ok) throw new Error(prepared.error.message);
    const started = await startPlan(this.tutti, prepared.value);
    if (!started.ok) throw new Error(started.error.message);
  }

  /** `tutti execute` once more. */
  async executeAgain(): Promise<void> {
    const found = await findPlan(this.tutti, 'numerals');
    if (!found.ok) throw new Error(found.error.message);
    const request = { parallel: 1, tasks: null, undeclared: null, verify: true, budget: {} };
    const prepared = await prepareExecute(this.tutti, found.value, request);
    if (!prepared.ok) throw new Error(prepared.error.message);
    await startExecute(this.tutti, prepared.value);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.tutti[Symbol.dispose]();
    await this.place[Symbol.asyncDispose]();
  }
}

/** A living process in the place of the one that was killed when the project was packed. */
async function liveTurn(old: OldProject, step: string): Promise<{ end(): void }> {
  const { queries, paths } = old.tutti;
  const entry = (await queries.entries('numerals-execute')).find(({ key }) => key.startsWith(`${step}@`));
  if (entry === undefined) throw new Error(`${step} was not launched`);
  const dir = paths.session(entry.sessionId ?? '');
  const started = readStart(dir);
  if (started.kind !== 'started') throw new Error(`${step} was not started`);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
    env: { ...old.place.env(), TUTTI_ATTEMPT_ID: started.marker },
  });
  const identity = identify(child.pid ?? 0);
  if (identity === null) throw new Error('the process did not start');
  rmSync(join(dir, 'started'));
  declareStarted(dir, identity, started.marker);
  return {
    end() {
      writeFileSync(join(dir, 'result.json'), JSON.stringify({ status: 'success', summary: `${step} done` }));
      recordEnd(dir, { exitCode: 0, signal: null, ended: null, problem: null, reason: null });
      child.kill('SIGKILL');
    },
  };
}

describe.each(releases)('a project of commit %s', (release) => {
  test(
    'a plan that was half planned before the upgrade launches only what had not finished',
    slow,
    async () => {
      await using old = await OldProject.open('half-planned', release);
      expect(await old.drive('numerals-plan')).toEqual({
        outcome: 'HUMAN_INPUT',
        ran: ['definition', 'validation', 'sequencing'],
      });
      await old.answer('numerals-plan', 'approve');
      expect(await old.drive('numerals-plan')).toEqual({ outcome: 'SUCCESS', ran: [] });
      await old.planAgain();
      expect(await old.drive('numerals-plan')).toEqual({ outcome: 'SUCCESS', ran: [] });
    },
  );

  test('a half planned plan that is amended after the upgrade keeps its finished turns', slow, async () => {
    await using old = await OldProject.open('half-planned', release);
    await old.planAgain();
    expect(await old.drive('numerals-plan')).toEqual({
      outcome: 'HUMAN_INPUT',
      ran: ['definition', 'validation', 'sequencing'],
    });
  });

  test('runs that waited for a person before the upgrade continue with the answer', slow, async () => {
    await using old = await OldProject.open('asked', release);
    expect(await old.drive('numerals-plan')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
    await old.answer('numerals-plan', 'approve');
    expect(await old.drive('numerals-plan')).toEqual({ outcome: 'SUCCESS', ran: [] });
    expect(await old.drive('asking')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
    await old.answer('asking', 'left');
    expect(await old.drive('asking')).toEqual({ outcome: 'SUCCESS', ran: ['asks/answer-1'] });
  });

  test(
    'a plan that was half executed before the upgrade launches only what had not finished',
    slow,
    async () => {
      await using old = await OldProject.open('half-executed', release);
      writeFileSync(join(old.place.project, 'go'), '');
      await old.executeAgain();
      expect(await old.drive('numerals-execute')).toEqual({
        outcome: 'SUCCESS',
        ran: ['T003', 'T003/verify'],
      });
      expect(await old.drive('numerals-plan')).toMatchObject({ ran: [] });
      await old.planAgain();
      expect(await old.drive('numerals-plan')).toEqual({ outcome: 'SUCCESS', ran: [] });
    },
  );

  test('a turn that lives through the upgrade is adopted', slow, async () => {
    await using old = await OldProject.open('half-executed', release);
    const living = await liveTurn(old, 'T003');
    await old.executeAgain();
    const driven = old.drive('numerals-execute');
    await until(
      'the turn is adopted',
      async () => (await old.tutti.queries.holder('numerals-execute')) !== null,
    );
    living.end();
    expect(await driven).toEqual({ outcome: 'SUCCESS', ran: ['T003/verify'] });
  });
});

test('another stack makes an old plan different work', slow, async () => {
  await using old = await OldProject.open('asked');
  await old.planAgain({ stack: 'TypeScript' });
  const { ran } = await old.drive('numerals-plan');
  expect(ran).toEqual(['logical', 'physical', 'definition', 'validation']);
});

interface UnderWay {
  readonly scenario: Scenario;
  readonly runId: string;
  readonly part: string;
  /** As commit a95b277 recorded it. */
  readonly name: keyof typeof oldOperationNames;
  readonly outcome: string;
  readonly ran: readonly string[];
}

const planned = { scenario: 'asked', runId: 'numerals-plan', outcome: 'HUMAN_INPUT', ran: [] } as const;
const executed = {
  scenario: 'half-executed',
  runId: 'numerals-execute',
  outcome: 'SUCCESS',
  ran: ['T003', 'T003/verify'],
} as const;

const underWay: readonly UnderWay[] = [
  { ...planned, part: 'validation/check', name: 'plan-verdict' },
  { ...planned, part: 'validation/record-1', name: 'plan-judged' },
  { ...planned, part: 'approval/standing', name: 'plan-approval' },
  { ...executed, part: 'T001/accept-1', name: 'accept' },
  { ...executed, part: 'T003/workspace', name: 'workspace-open' },
  { ...executed, part: 'T003/bundle', name: 'bundle' },
];

/** Makes the operation what it was before it ended; its arguments are those that the old program recorded. */
function takeBack(old: OldProject, { runId, part, name }: UnderWay, state: 'open' | 'launched'): void {
  using database = new DatabaseSync(join(old.place.project, '.tutti/tutti.db'));
  const changed = database
    .prepare(
      `update entries set state = ?, outcome = null, body = null, ended_at = null
       where run = ? and key glob ? and spec ->> 'name' = ?`,
    )
    .run(state, runId, `${part}@*`, name);
  if (changed.changes !== 1) throw new Error(`the kept project has no ${part} with the name ${name}`);
  if (state === 'open') return;
  database
    .prepare(
      `insert into launches(run, key, attempt, kind, root, tokens, cost)
       select run, key, attempt, kind, run, 0, 0 from entries where run = ? and key glob ?`,
    )
    .run(runId, `${part}@*`);
}

describe.each(['open', 'launched'] as const)(
  'an operation that was %s when the program was upgraded',
  (state) => {
    test.each(underWay)('is done under its old name: $name', slow, async (each) => {
      await using old = await OldProject.open(each.scenario);
      takeBack(old, each, state);
      writeFileSync(join(old.place.project, 'go'), '');
      const { runId, part, outcome, ran } = each;
      expect(await old.drive(runId)).toEqual({ outcome, ran });
      const entry = (await old.tutti.queries.entries(runId)).find(({ key }) => key.startsWith(`${part}@`));
      expect(entry?.state.at).toBe('done');
    });
  },
);

test('control: without the table of old names the operation fails', slow, async () => {
  await using old = await OldProject.open('asked');
  takeBack(old, { ...planned, part: 'approval/standing', name: 'plan-approval' }, 'open');
  const known: Record<string, string> = oldOperationNames;
  const present = known['plan-approval'] ?? '';
  delete known['plan-approval'];
  try {
    expect((await old.drive('numerals-plan')).outcome).toBe('FAILURE');
    const entries = await old.tutti.queries.entries('numerals-plan');
    expect(entries.find(({ key }) => key.startsWith('approval/standing@'))?.state).toMatchObject({
      at: 'failed',
      failure: { message: "this program has no operation 'plan-approval'" },
    });
  } finally {
    known['plan-approval'] = present;
  }
});

test(
  'control: a program that does not look for recorded prompts pays for finished turns again',
  slow,
  async () => {
    await using old = await OldProject.open('half-planned');
    using _blind = vi.spyOn(Replay.prototype, 'keysBeside').mockReturnValue([]);
    const { ran } = await old.drive('numerals-plan');
    expect(ran).toEqual(['logical', 'physical', 'definition', 'validation', 'sequencing']);
  },
);
