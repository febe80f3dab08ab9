import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Tutti } from '../../src/app/tutti.ts';
import { recorded } from '../../src/lib/json.ts';
import type { TurnOutcome } from '../../src/model/turn.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { cheap, ExecuteProject, runId } from '../execute/project.ts';
import { goodPlan, type PlanDocuments } from '../plans/good-plan.ts';
import { outsideTmp } from './cli-place.ts';
import { installed } from './install.ts';
import {
  type Expected,
  expectations,
  type Job,
  modelWith,
  type Personality,
  quotedPath,
} from './personalities.ts';
import { type PersonCli, personWith } from './person.ts';
import { report } from './report.ts';

const clis: readonly PersonCli[] = ['claude', 'codex', 'gemini', 'opencode'];
const names = Object.keys(expectations) as readonly Personality[];
/** The task whose agent has the personality; the one before it is done by then. */
const odd = 'T002';
/** Sessions of two well-behaved executors and their verifiers. */
const wellBehaved = 4;

const plain = cheap(goodPlan({ tasks: 2 }));

/** What the personalities need to be played: a criterion that quotes a path, and one that waits for a late result. */
function documentsFor(name: Personality, folder: string): PlanDocuments {
  const { judged, late } = signals(folder);
  const tasks = plain.tasks.map((task) => {
    const [criterion] = task.acceptance_criteria;
    if (task.id !== odd || criterion === undefined) return task;
    const check = criterion.verification;
    const quoting = `${check} || { echo "the result is expected in ${quotedPath}"; false; }`;
    const waiting = `: > ${judged}; for i in $(seq 400); do ${check} || [ -e ${late} ] && break; sleep 0.05; done; ${check}`;
    const verification = name === 'obeys-quotes' ? quoting : name === 'writes-late' ? waiting : check;
    return { ...task, acceptance_criteria: [{ ...criterion, verification }] };
  });
  return { ...plain, tasks };
}

function signals(folder: string): Pick<Job, 'judged' | 'late'> {
  return { judged: join(folder, 'judged'), late: join(folder, 'late') };
}

function jobsIn(folder: string): readonly Job[] {
  return plain.tasks.map(({ id, files }) => {
    const paths = files.map(({ path }) => path);
    const write = (text: string): string =>
      paths.map((path) => `mkdir -p ${dirname(path)} && printf '%s\\n' '${text}' > ${path}`).join(' && ');
    const work = write(`export const keep = "${id}";`);
    return { id, work, wrongWork: write('export const drop = 1;'), ...signals(folder) };
  });
}

/** A sandbox ends what an agent leaves behind, so that nothing could write late: the person has turned all of them off. */
function configFor(name: Personality, cli: PersonCli): object {
  if (name !== 'writes-late') return { driver: cli };
  const drivers = { codex: { type: 'codex', sandbox: 'danger-full-access' } };
  return { driver: cli, sandbox: 'off', ...(cli === 'codex' ? { drivers } : {}) };
}

for (const name of names) {
  const expected: Expected = expectations[name];
  test.each(clis)(`%s ${name}: an agent that ${expected.says} ends as the table expects`, async (cli) => {
    expect.hasAssertions();
    const found = await installed(cli);
    const about = { cli, case: `${name} → ${expected.outcome}`, version: found.version };
    if (!found.ok) {
      report(about, { verdict: 'not installed', why: found.why, ms: 0 });
      expect(found.why).not.toBe('');
      return;
    }
    const began = performance.now();
    const ms = (): number => Math.round(performance.now() - began);
    try {
      await play(cli, found.program, name, expected);
      report(about, { verdict: 'ok', ms: ms() });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      report(about, { verdict: 'failed', why, ms: ms() });
      throw error;
    }
  });
}

async function play(cli: PersonCli, program: string, name: Personality, expected: Expected): Promise<void> {
  using folder = tempFolder(outsideTmp);
  const model = modelWith(cli, name, jobsIn(folder.path), odd);
  await using person = await personWith(cli, program, folder.path, model);
  using project = new ExecuteProject(documentsFor(name, folder.path), 'git', {
    parent: outsideTmp,
    config: configFor(name, cli),
    env: person.env,
  });
  using tutti = project.open();
  const asked: string[] = [];
  const { outcome } = await project.playIn(tutti, { parallel: 1 }, (question) => {
    asked.push(question);
    return expected.answer ?? null;
  });
  const sessions = await tutti.queries.sessions.ofRun(runId);
  const story = await Promise.all(
    sessions.map(async ({ id, key, outcome: end }) => {
      const read = (file: string): string => {
        const path = join(project.path, '.tutti/sessions', id, file);
        return existsSync(path) ? readFileSync(path, 'utf8') : '';
      };
      const denials = await denialsOf(tutti, key);
      return `${id}: ${end ?? 'no end'}, ${denials} denials\nresult.json: ${read('result.json')}\n${read('session.log')}${read('output.log').slice(-20_000)}`;
    }),
  );
  const events = (await tutti.queries.events(runId, 0)).map(({ event }) => JSON.stringify(event));
  const failures = events.filter((event) => event.includes('FAIL') || event.includes('ESCALATION'));
  expect(outcome, [...asked, ...failures, ...story].join('\n')).toBe(expected.outcome);
  expect(sessions.length, story.join('\n')).toBeLessThanOrEqual(wellBehaved + expected.extra);
  // Whatever the personality did, no turn that succeeded was launched a second time.
  const succeeded = sessions.filter((session) => session.outcome === 'SUCCESS').map(({ key }) => key);
  expect(new Set(succeeded).size).toBe(succeeded.length);
  if (expected.answer === undefined) expect(asked).toEqual([]);
  if (expected.leaves !== undefined && !expected.unseen?.includes(cli)) {
    const left = [...story, ...events].join('\n');
    expect(expected.leaves.test(left), `${expected.leaves} is in:\n${left}`).toBe(true);
  }
  if (expected.outcome === 'SUCCESS') expectWork(project);
}

async function denialsOf({ queries }: Tutti, key: string): Promise<number> {
  const state = (await queries.entries(runId)).find((entry) => entry.key === key)?.state;
  return state?.at === 'done' ? recorded<TurnOutcome>(state.value).denials : 0;
}

/** What was landed is the executor's work, and nothing that a verifier or a late process added. */
function expectWork(project: ExecuteProject): void {
  for (const { id, files } of plain.tasks) {
    for (const { path } of files) {
      const landed = project.git('show', `tutti/records/integration:${path}`);
      expect(landed, path).toBe(`export const keep = "${id}";\n`);
    }
  }
}
