import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { cheap, ExecuteProject, runId } from '../execute/project.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { installed } from './install.ts';
import { type Expected, expectations, type Job, modelWith, type Personality } from './personalities.ts';
import { type PersonCli, personWith } from './person.ts';
import { report } from './report.ts';

const clis: readonly PersonCli[] = ['claude', 'codex', 'gemini', 'opencode'];
const names = Object.keys(expectations) as readonly Personality[];
/** The task whose agent has the personality; the one before it is done by then. */
const odd = 'T002';
/** Codex does not work in a home or project below the temporary folder. */
const elsewhere = '/var/tmp';
/** Sessions of two well-behaved executors and their verifiers. */
const wellBehaved = 4;

const documents = cheap(goodPlan({ tasks: 2 }));
const jobs: readonly Job[] = documents.tasks.map(({ id, files }) => {
  const paths = files.map(({ path }) => path);
  const write = (text: string): string =>
    paths.map((path) => `mkdir -p ${dirname(path)} && printf '%s\\n' '${text}' > ${path}`).join(' && ');
  return { id, work: write(`export const keep = "${id}";`), wrongWork: write('export const drop = 1;') };
});

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
  using folder = tempFolder(elsewhere);
  await using person = await personWith(cli, program, folder.path, modelWith(cli, name, jobs, odd));
  using project = new ExecuteProject(documents, 'git', {
    parent: elsewhere,
    config: { driver: cli },
    env: person.env,
  });
  using tutti = project.open();
  const asked: string[] = [];
  const { outcome } = await project.playIn(tutti, { parallel: 1 }, (question) => {
    asked.push(question);
    return expected.answer ?? null;
  });
  const sessions = tutti.queries.sessions.ofRun(runId);
  const story = sessions.map(({ id, outcome: end }) => {
    const read = (file: string): string =>
      readFileSync(join(project.path, '.tutti/sessions', id, file), 'utf8');
    return `${id}: ${end ?? 'no end'}\n${read('session.log')}${read('output.log').slice(-2000)}`;
  });
  const failures = tutti.queries
    .events(runId, 0)
    .map(({ event }) => JSON.stringify(event))
    .filter((event) => event.includes('FAIL') || event.includes('ESCALATION'));
  expect(outcome, [...asked, ...failures, ...story].join('\n')).toBe(expected.outcome);
  expect(sessions.length, story.join('\n')).toBeLessThanOrEqual(wellBehaved + expected.extra);
  // Whatever the personality did, no turn that succeeded was launched a second time.
  const succeeded = sessions.filter((session) => session.outcome === 'SUCCESS').map(({ key }) => key);
  expect(new Set(succeeded).size).toBe(succeeded.length);
  if (expected.answer === undefined) expect(asked).toEqual([]);
  if (expected.outcome === 'SUCCESS') expectWork(project);
}

/** What was landed is the executor's work, and nothing that a verifier or a late process added. */
function expectWork(project: ExecuteProject): void {
  for (const { id, files } of documents.tasks) {
    for (const { path } of files) {
      const landed = project.git('show', `tutti/records/integration:${path}`);
      expect(landed, path).toBe(`export const keep = "${id}";\n`);
    }
  }
}
