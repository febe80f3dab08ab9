import { stringify } from 'yaml';
import { PayProject, plan, until } from './project.ts';

/** `tutti plan` is killed while its planner works, and typed again. */
export async function planTypedAgain(program?: string): Promise<readonly string[]> {
  using project = new PayProject(program);
  const order = ['plan', 'records.md', '--yes'];
  project.hold('logical');
  const first = project.start(...order);
  await until(() => project.turns().includes('logical'));
  first.child.kill('SIGKILL');
  await first.ended;
  const second = project.start(...order);
  await until(
    async () => (await project.ends(`${plan}-plan`)).filter((id) => id === 'ingestion').length === 2,
  );
  project.release('logical');
  await second.ended;
  return project.turns();
}

const planned = ['plan', 'records.md', '--yes'];

/** A project whose plan is approved; only what happens afterwards counts. */
export async function approvedPlan(program: string | undefined, tasks: 2 | 3 = 2): Promise<PayProject> {
  const project = new PayProject(program, tasks);
  await project.run(...planned);
  project.forgetTurns();
  return project;
}

/** The ceiling is reached between the executor and the verifier of the first task, and raised one by one. */
export async function ceilingRaised(program?: string): Promise<readonly string[]> {
  using project = await approvedPlan(program);
  for (let launches = 1; launches <= 4; launches += 1) {
    await project.run('execute', '--batch', '--max-launches', String(launches));
  }
  return project.turns();
}

/** One task asks, another is executed alone, then the answer is given and the rest is executed. */
export async function otherTaskAlone(program?: string): Promise<{
  readonly asked: readonly number[];
  readonly turns: readonly string[];
  readonly code: number | null;
}> {
  using project = await approvedPlan(program, 3);
  project.rules({ T002: { asks: [{ text: 'Which one?' }] }, 'T002/answer-1': {}, 'T002/verify': {} });
  const asked: number[] = [];
  const count = async () => {
    const { stdout } = await project.run('inbox');
    asked.push(stdout.split('Which one?').length - 1);
  };
  await project.run('execute', '--batch', '--task', 'T001', '--task', 'T002');
  await count();
  await project.run('execute', '--batch', '--task', 'T003');
  await count();
  await project.run('answer', 'Q1', 'this one');
  const { code } = await project.run('execute', '--batch');
  return { asked, turns: project.turns(), code };
}

/** The task's agent asks, gets its answer, and then writes what its acceptance criterion refuses. */
export async function healAfterAnswer(program?: string): Promise<string> {
  using project = await approvedPlan(program);
  project.rules({
    T001: { asks: [{ text: 'Which one?' }] },
    'T001/answer-1': { content: 'wrong\n' },
    'T001/heal-1': {},
  });
  await project.run('execute', '--batch', '--task', 'T001');
  await project.run('answer', 'Q1', 'the second one');
  await until(() => project.turns().includes('T001/heal-1'));
  await until(() => project.prompt('T001/heal-1') !== '');
  await project.run('stop', '--all');
  return project.prompt('T001/heal-1');
}

/** An agent that asks four times before it works. */
export async function fourQuestions(program?: string): Promise<readonly string[]> {
  using project = new PayProject(program);
  project.write(
    'asks.yaml',
    stringify({
      name: 'asks',
      steps: [{ id: 'talk', agent: 'task-executor', prompt: 'Talk.' }],
    }),
  );
  project.write('worker.mjs', talker);
  await project.run('run', 'asks.yaml', '--run-id', 'asks');
  for (let n = 1; n <= 4; n += 1) {
    await project.run('answer', `Q${n}`, 'yes');
    await until(async () => {
      const status = JSON.parse((await project.run('status', 'asks', '--json')).stdout);
      return status.questions.length > 0 || status.state === 'ended';
    });
  }
  return project.turns();
}

const talker = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const { TUTTI_PROJECT: project, TUTTI_STEP: step, TUTTI_RESULT: result } = process.env;
appendFileSync(join(project, 'ledger'), step + ' begin\\n');
const said = Number(/answer-(\\d)/.exec(step)?.[1] ?? 0);
const questions = said < 4 ? [{ text: 'Question ' + (said + 1) + '?' }] : [];
writeFileSync(result, JSON.stringify({ status: 'success', summary: 'talked', notes: [], questions }));
`;

/** A gate refuses the work of a flow's only step, and the budget refuses the turn that would heal it. Then it is estimated. */
export async function healWithoutBudget(
  program?: string,
): Promise<{ readonly message: string; readonly counted: number }> {
  using project = new PayProject(program);
  project.write('worker.mjs', talker.replace('said < 4', 'false'));
  project.write(
    'gated.yaml',
    stringify({
      name: 'gated',
      budget: { launches: 1 },
      steps: [
        {
          id: 'build',
          agent: 'task-executor',
          prompt: 'Build.',
          gates: [{ file: 'never-there.txt' }],
          retry: { max: 1 },
        },
      ],
    }),
  );
  await project.run('run', 'gated.yaml', '--run-id', 'gated');
  const { message } = JSON.parse((await project.run('status', 'gated', '--json')).stdout);
  const { steps } = JSON.parse((await project.run('run', 'gated.yaml', '--estimate', '--json')).stdout);
  return { message, counted: steps[0].runs };
}

/**
 * A verifier that accepts the work writes to a file of it; returns how the execution ends, the files that it names then, and
 * what is paid in two of them.
 */
export async function verifierWrites(program?: string): Promise<{
  readonly code: number | null;
  readonly named: readonly string[];
  readonly turns: readonly string[];
}> {
  using project = await approvedPlan(program);
  project.rules({ 'T001/verify': { tampers: 'src/parse.js' } });
  const { code, stdout } = await project.run('execute', '--batch', '--task', 'T001');
  await project.run('execute', '--batch', '--task', 'T001');
  const [told = ''] = stdout.split('\n').filter((line) => / files (?:were )?changed /.test(line));
  return { code, named: told.match(/(?:src|test)\/[\w.]+/g) ?? [], turns: project.turns() };
}

/** A verifier refuses the work, and the turn that should heal it changes nothing. */
export async function verifiedAgain(program?: string): Promise<readonly string[]> {
  using project = await approvedPlan(program);
  project.rules({ 'T001/verify': { verdict: 'needs_refinement' }, 'T001/heal-1': { nothing: true } });
  await project.run('execute', '--batch', '--task', 'T001');
  return project.turns();
}

/** Each turn of the agent takes a thousand tokens, as an earlier run shows; three could begin at once below a ceiling of 1500. */
export async function beyondTokens(program?: string): Promise<readonly string[]> {
  using project = new PayProject(program);
  const usage = '"usage":{"input_tokens":900,"output_tokens":100}';
  project.write(
    'worker.mjs',
    talker.replace('said < 4', 'false').replace('questions }', `questions, ${usage} }`),
  );
  const step = (id: string) => ({ id, agent: 'task-executor', prompt: 'Talk.' });
  project.write('known.yaml', stringify({ name: 'known', steps: [step('first')] }));
  const steps = ['a', 'b', 'c'].map(step);
  project.write(
    'capped.yaml',
    stringify({ name: 'capped', budget: { tokens: 1500 }, concurrency: 3, steps }),
  );
  await project.run('run', 'known.yaml', '--run-id', 'known');
  project.forgetTurns();
  await project.run('run', 'capped.yaml', '--run-id', 'capped');
  return project.turns();
}
