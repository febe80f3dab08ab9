import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runStatus } from '../../src/app/status/run-status.ts';
import { workflows } from '../../src/app/workflows.ts';
import { executionReport } from '../../src/app/views/execution-report.ts';
import { AmendProject, agentStep, commandStep, type Played, runId, type Step } from '../amend/project.ts';

/** An agent's step with two healing turns to spend, and a step behind it. */
function gatedBy(gate: string): readonly Step[] {
  return [
    agentStep('writes', [], 'SAY draft', { gates: [{ command: ['sh', '-c', gate] }], retry: { max: 2 } }),
    commandStep('after', ['writes'], 'true'),
  ];
}

async function questionsOf(project: AmendProject): Promise<readonly string[]> {
  using tutti = project.open();
  return (await tutti.queries.openQuestions(runId)).map(({ question }) => question.text);
}

async function answer(project: AmendProject, text: string): Promise<Played> {
  using tutti = project.open();
  const [open] = await tutti.queries.openQuestions(runId);
  if (open === undefined) throw new Error('there is no open question');
  await tutti.store.answer(runId, open.key, { text, by: 'test', at: 1 });
  return await project.advance(tutti);
}

test.for([126, 127])('a gate that ends with %d pays no healing turn and asks once', async (code) => {
  using project = new AmendProject();
  const asked = await project.play(gatedBy(`exit ${code}`));
  expect(asked).toEqual({ outcome: 'HUMAN_INPUT', ran: ['writes'], sessions: 1 });
  const questions = await questionsOf(project);
  expect(questions).toHaveLength(1);
  expect(questions[0]).toContain(`cannot be run (exit code ${code}), so it says nothing about the work`);
  expect(await answer(project, 'fail')).toEqual({ outcome: 'NEEDS_ESCALATION', ran: [], sessions: 0 });
  expect(await questionsOf(project)).toEqual([]);
});

test('a gate that a person continues without lets the step pass, and the report names its command', async () => {
  using project = new AmendProject();
  await project.play(gatedBy('exit 127'));
  expect(await answer(project, 'without')).toEqual({ outcome: 'SUCCESS', ran: ['after'], sessions: 0 });
  using tutti = project.open();
  const status = await runStatus(tutti, workflows, runId);
  expect(status === null ? '' : executionReport(status, [])).toContain(
    '- writes: a person chose to continue without `sh -c exit 127`, which failed\n',
  );
});

test('a gate is run again when a person has installed its program', async () => {
  using project = new AmendProject();
  await project.play(gatedBy('./checker'));
  project.write('checker', '#!/bin/sh\n');
  // It is there, and may not be executed yet: 126 is asked about as 127 was.
  expect(await answer(project, 'again')).toMatchObject({ outcome: 'HUMAN_INPUT', sessions: 0 });
  expect(await questionsOf(project)).toHaveLength(1);
  chmodSync(join(project.path, 'checker'), 0o755);
  expect(await answer(project, 'again')).toEqual({ outcome: 'SUCCESS', ran: ['after'], sessions: 0 });
});

test('a gate that a person hands to the agent is healed as any other', async () => {
  using project = new AmendProject();
  await project.play(gatedBy('exit 127'));
  const { sessions } = await answer(project, 'agent');
  expect(sessions).toBeGreaterThan(0);
});

test('a gate that ends with 1 is healed without a question', async () => {
  using project = new AmendProject();
  const { outcome, sessions } = await project.play(gatedBy('exit 1'));
  expect(outcome).toBe('NEEDS_ESCALATION');
  expect(sessions).toBeGreaterThan(1);
  expect(await questionsOf(project)).toEqual([]);
});

test('every gate is judged, and one healing turn gets all failures', async () => {
  using project = new AmendProject();
  project.write(
    'agent.sh',
    `cat > "out/$(echo "$TUTTI_STEP" | tr / _).prompt"
printf '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
case "$TUTTI_STEP" in */heal-1) : > one.txt; : > two.txt ;; esac
`,
  );
  const gates = [
    { approval: 'Good?' },
    { command: ['sh', '-c', 'echo first is missing; test -f one.txt'] },
    { command: ['true'] },
    { command: ['sh', '-c', 'echo second is missing; test -f two.txt'] },
  ];
  const step = agentStep('writes', [], 'Write both files.', { gates, retry: { max: 1 } });
  // The person is asked after everything else has passed, and not before.
  expect(await project.play([step])).toMatchObject({ outcome: 'HUMAN_INPUT', sessions: 2 });
  expect(await questionsOf(project)).toEqual(['Good?']);
  const prompt = project.read('out/writes_heal-1.prompt');
  expect(prompt).toContain('2 of 4 gates failed: ');
  expect(prompt).toMatch(/first is missing[^]*second is missing/);
  expect(await answer(project, 'yes')).toMatchObject({ outcome: 'SUCCESS', sessions: 0 });
});
