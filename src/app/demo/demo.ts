import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { formatDuration } from '../../lib/duration.ts';
import { identify, isAlive } from '../../lib/process/identity.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { stepIdOf } from '../../model/key.ts';
import { executeRunId, planRunId } from '../../model/plan/task-row.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import type { RunningProgram } from '../../runtime/program.ts';
import { specName } from '../example/spec.ts';
import { deliverPlan } from '../plans/deliver-plan.ts';
import { findPlan } from '../plans/find-plan.ts';
import { planPathsOf } from '../plan-files/plan-paths.ts';
import { decidePlan } from '../plans/agent-led/decide-plan.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { answerQuestion } from '../runs/answer-question.ts';
import { isAdvancing } from '../status/living-holder.ts';
import { refuseStateFolder } from '../trust/refuse-unwritable.ts';
import type { Environment } from '../opened-project.ts';
import { openTutti, type Tutti } from '../tutti.ts';
import { ledger, slowStep } from './project.ts';
import { prepareFolder, Stage } from './stage.ts';
import { storyteller } from './telling.ts';
import { glyphs } from '../../lib/glyphs.ts';

export interface DemoParams {
  /** Where to put it; null is a new temporary folder. */
  readonly folder: string | null;
  readonly env: Environment;
  readonly say: (line: string) => void;
  /** The program to call: bin/tutti.js. */
  readonly program: string;
}

export interface DemoEnd {
  readonly folder: string;
  readonly report: string;
}

/**
 * The person of the demo, whoever started it: their decisions are made through this project alone, which the demo has just
 * created in an empty folder. The programs that it starts there decide nothing.
 */
const demoPerson: CallerFacts = {
  user: { name: 'demo', home: null },
  variable: () => [],
  programs: () => [],
  groups: () => [],
};

const plan = 'tiny-duration';
const runId = executeRunId(plan);

/** The story: everything it says was seen to happen, by looking at the database, the ledger and the process table. */
export async function demo({
  folder: asked,
  env,
  say,
  program,
}: DemoParams): Promise<Result<DemoEnd, Refusal>> {
  const startedAt = Date.now();
  const unwritable = refuseStateFolder(env);
  if (unwritable !== null) return err(unwritable);
  const folder = asked === null ? mkdtempSync(join(tmpdir(), 'tutti-demo-')) : resolve(asked);
  const prepared = await prepareFolder(folder, env);
  if (!prepared.ok) return prepared;
  say(`A repository with a specification: ${join(folder, specName)}`);
  const stage = new Stage({ folder, env, program });
  const opened = openTutti({ folder, env: stage.env, caller: demoPerson, create: true });
  if (!opened.ok) return opened;
  using tutti = opened.value;
  const story = new Story(tutti, stage, say, startedAt);
  // Awaited here, because leaving closes the project.
  return await story.tell();
}

class Story {
  readonly #tutti: Tutti;
  readonly #stage: Stage;
  readonly #say: DemoParams['say'];
  readonly #startedAt: number;
  /** Turns that were finished when the orchestrator died. */
  #before = 0;

  constructor(tutti: Tutti, stage: Stage, say: DemoParams['say'], startedAt: number) {
    this.#tutti = tutti;
    this.#stage = stage;
    this.#say = say;
    this.#startedAt = startedAt;
  }

  async tell(): Promise<Result<DemoEnd, Refusal>> {
    for (const part of [() => this.#plan(), () => this.#execute(), () => this.#land()]) {
      const told = await part();
      if (!told.ok) return told;
    }
    return this.#conclude();
  }

  /** From the specification to tasks that a person said yes to. */
  async #plan(): Promise<Result<null, Refusal>> {
    const [stage, say] = [this.#stage, this.#say];
    const planner = await stage.start('plan', specName, '--new', '--stack', 'plain JavaScript');
    say(`$ tutti plan ${specName} --new --stack "plain JavaScript"`);
    const teller = storyteller(this.#tutti, planRunId(plan), say);
    const asked = async () => (await this.#tutti.queries.openQuestions(planRunId(plan))).length > 0;
    let isOver = false;
    void planner.exited.then(() => {
      isOver = true;
    });
    if (!(await stage.until(teller, async () => (await asked()) || isOver)) || !(await asked()))
      return stage.stuck();
    await planner.exited;
    say('$ tutti plan show');
    for (const line of (await stage.tutti('plan', 'show')).output.trimEnd().split('\n')) say(`  ${line}`);
    say('$ tutti plan approve');
    const found = await findPlan(this.#tutti, plan);
    if (!found.ok) return found;
    const decided = await decidePlan(this.#tutti, found.value, {
      said: 'approved',
      reason: null,
      since: this.#tutti.clock.wall(),
    });
    return decided.ok ? ok(null) : decided;
  }

  /** Tasks side by side; the orchestrator is killed in the middle, and nothing is paid twice. */
  async #execute(): Promise<Result<null, Refusal>> {
    const [stage, say] = [this.#stage, this.#say];
    const first = await stage.start('execute');
    say(`$ tutti execute                               (process ${first.pid})`);
    const teller = storyteller(this.#tutti, runId, say);
    if (!(await stage.until(teller, () => this.#atTheRightMoment()))) return stage.stuck();
    await this.#killAndLook(first);
    const second = await stage.start('execute');
    say(`$ tutti execute                               (process ${second.pid})`);
    const asked = async () => (await this.#tutti.queries.openQuestions(runId)).length > 0;
    // Until the new process has the run, the inbox would remind of a run that no process advances.
    const isTaken = () => isAdvancing(this.#tutti, runId);
    if (
      !(await stage.until(
        teller,
        async () => ((await asked()) && (await isTaken())) || (await this.#isOver()),
      ))
    )
      return stage.stuck();
    await this.#answerFromInbox();
    if (!(await stage.until(teller, () => this.#isOver()))) return stage.stuck();
    await Promise.race([second.exited, stage.until(teller, async () => false, 2_000)]);
    const state = (await this.#tutti.queries.run(runId))?.state;
    if (state?.at === 'ended' && state.outcome === 'SUCCESS') return ok(null);
    const hint = `look at it: tutti report ${runId} (in ${stage.folder})`;
    return err(refusal('FAILURE', `the demo's run did not succeed`, hint));
  }

  /** Some turns are finished and paid for, and an agent is working: the worst moment to die. */
  async #atTheRightMoment(): Promise<boolean> {
    const sessions = await this.#tutti.queries.sessions.ofRun(runId);
    const working = sessions.some(
      ({ id, key, status }) =>
        stepIdOf(key) === slowStep && status === 'RUNNING' && this.#launcherOf(id) !== null,
    );
    const finished = sessions.filter(({ status }) => status === 'COMPLETED').length;
    // Its own line is in the ledger only when it ends.
    return working && finished >= 3 && this.#ledger().length >= finished;
  }

  async #killAndLook(orchestrator: RunningProgram): Promise<void> {
    this.#before = this.#ledger().length;
    orchestrator.kill();
    await orchestrator.exited;
    this.#say(
      `${glyphs.bad} SIGKILL: the orchestrator (process ${orchestrator.pid}) is gone; ${this.#before} turns were finished and paid for`,
    );
    const running = (await this.#tutti.queries.sessions.ofRun(runId)).filter(
      ({ status }) => status === 'RUNNING',
    );
    for (const { id, agent } of running) {
      const pid = this.#launcherOf(id);
      const living = pid === null ? null : identify(pid);
      if (living !== null && isAlive(living))
        this.#say(`  its agent '${agent}' works on without it: session ${id}, process ${pid ?? 0}`);
    }
  }

  #launcherOf(sessionId: string): number | null {
    try {
      const started = readFileSync(join(this.#tutti.paths.session(sessionId), 'started'), 'utf8');
      const pid = /\d+/.exec(started)?.[0];
      return pid === undefined ? null : Number(pid);
    } catch {
      return null;
    }
  }

  async #answerFromInbox(): Promise<void> {
    this.#say('$ tutti inbox');
    const { output } = await this.#stage.tutti('inbox');
    for (const line of output.trimEnd().split('\n')) this.#say(`  ${line}`);
    for (const { id, question } of await this.#tutti.queries.openQuestions(runId)) {
      const answer = question.options?.[0] ?? 'yes';
      this.#say(`$ tutti answer ${id} "${answer}"`);
      await answerQuestion(this.#tutti, id, answer);
    }
  }

  async #isOver(): Promise<boolean> {
    return (await this.#tutti.queries.run(runId))?.state.at === 'ended';
  }

  /** Until now the checkout is as it was. */
  async #land(): Promise<Result<null, Refusal>> {
    const [stage, say] = [this.#stage, this.#say];
    say('$ tutti land');
    const found = await findPlan(this.#tutti, plan);
    if (!found.ok) return found;
    const delivered = await deliverPlan(this.#tutti, found.value, undefined, () => undefined);
    if (!delivered.ok) return delivered;
    const { delivery } = delivered.value;
    const files = delivery.at === 'nothing' ? 0 : delivery.files;
    say(`  merged ${files} files of plan ${plan} into ${stage.folder}`);
    return ok(null);
  }

  async #conclude(): Promise<Result<DemoEnd, Refusal>> {
    const [stage, say] = [this.#stage, this.#say];
    const report = join(this.#tutti.paths.run(runId), 'execution-report.md');
    await this.#tutti.views().update(runId);
    const tests = await stage.node('--test');
    const count = (word: string) => new RegExp(`${word} (\\d+)`).exec(tests.output)?.[1] ?? '?';
    const turns = this.#ledger();
    const twice = turns.filter((line, index) => turns.indexOf(line) !== index);
    say('$ node --test');
    say('');
    say(`Tests of the library that was written: ${count('pass')} passed, ${count('fail')} failed`);
    say(
      `Turns played: ${turns.length}. Finished before the kill: ${this.#before}. Played again after it: ${twice.length}.`,
    );
    say(`Turns saved by resuming instead of starting over: ${this.#before}`);
    say(`The plan, its maps, tasks, results and reports: ${planPathsOf(this.#tutti.paths, plan).dir}`);
    say(`Took ${formatDuration(Date.now() - this.#startedAt)}. The whole story: ${report}`);
    if (tests.code !== 0) return err(refusal('FAILURE', 'its tests do not pass', `look at ${stage.folder}`));
    if (twice.length === 0) return ok({ folder: stage.folder, report });
    return err(
      refusal('FAILURE', `${twice.length} turns ran twice`, `look at ${join(stage.folder, ledger)}`),
    );
  }

  #ledger(): readonly string[] {
    try {
      return readFileSync(join(this.#stage.folder, ledger), 'utf8')
        .split('\n')
        .filter((line) => line !== '');
    } catch {
      return [];
    }
  }
}
