import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerOf } from './project.ts';
import { manifestOf, orchestrated } from './orchestrator-project.ts';

const a = { name: 'a', args: ['PLAN', 'writes:docs/a.md succeeds summary:the%plan'] };
const b = { name: 'b', args: ['PLAN', 'writes:docs/b.md succeeds'], inputs: ['a'] };

test('stages run one after another, and the manifest is the one answer', async () => {
  using project = orchestrated([a, b]);
  const end = await project.call(['orchestrator', 'two', 'target.md', '--json', '--run-id', 'r']);
  expect(end.code, end.err).toBe(0);
  expect(manifestOf(end)).toMatchObject({
    orchestrator: 'two',
    status: 'SUCCESS',
    run_id: 'r',
    depth: 1,
    stages: [
      { name: 'a', status: 'success', exit_code: 0, artifact: 'docs/a.md' },
      { name: 'b', status: 'success', exit_code: 0, artifact: 'docs/b.md' },
    ],
    summary: { total: 2, passed: 2, failed: 0, exit_code: 0 },
    refinements: [],
    rescues: [],
    message: null,
  });
  expect(project.begun).toHaveLength(2);
  expect(project.begun[0]).toContain('target.md');
  // The second stage gets status, paths and summary of the first one, and no contents.
  const prompt = project.noted('prompt-1');
  expect(prompt).toMatch(/## Stage a \(data\)[\s\S]+SUCCESS[\s\S]+- docs\/a\.md[\s\S]+the plan/);
  expect(prompt).not.toContain('by turn 1');
  const file = JSON.parse(project.read('.tutti/runs/r/manifest.json')) as unknown;
  expect(file).toMatchObject({ orchestrator: 'two', summary: { total: 2, exit_code: 0 } });
  expect(project.read('.tutti/runs/r/.signals/orch-two.done')).toMatch(/size: [1-9]/);
  const status = JSON.parse((await project.call(['status', 'r', '--json'])).out) as object;
  expect(status).toMatchObject({
    steps: [
      { id: 'two.a', state: 'done' },
      { id: 'two.b', state: 'done' },
    ],
  });
});

test('the text answer has a line for each stage, and a modifier chooses the stages', async () => {
  using project = orchestrated([a, { ...b, inputs: [] }], { modifiers: { lean: ['b'] } });
  const { code, out, err } = await project.call(['orchestrator', 'two', 'lean', 'target.md']);
  expect(code, err).toBe(0);
  expect(answerOf(out)).toMatchObject({
    STATUS: 'SUCCESS',
    EXIT_CODE: '0',
    STAGE: "'b success 0 docs/b.md'",
  });
  expect(project.begun).toHaveLength(1);
});

test('without a level of sessions the first stage says how the orchestrator ends, and nothing is launched', async () => {
  for (const [choice, exit] of [
    ['abort', 2],
    ['escalate', 11],
  ] as const) {
    using project = orchestrated([{ ...a, on_depth: choice }, b]);
    const end = await project.call(['orchestrator', 'two', 'x', '--json', '--max-depth', '0']);
    expect([choice, end.code], end.err).toEqual([choice, exit]);
    expect(manifestOf(end)).toMatchObject({
      stages: [{ status: 'failure', exit_code: exit }, { status: 'not_run' }],
      summary: { passed: 0, failed: 1, exit_code: exit },
    });
    expect(project.begun).toEqual([]);
  }
});

test('a call that is wrong is refused with the command that is right, before anything is made', async () => {
  using project = orchestrated([a, { name: 'b', args: ['PLAN'] }], {});
  const wrong: readonly (readonly [words: readonly string[], said: string])[] = [
    [['nobody', 'x'], 'there is no orchestrator "nobody"'],
    [['two'], 'tutti orchestrator two TARGET'],
    [['work', 'x'], 'there is no orchestrator "work"'],
    [['two', 'x', '--run-id', '../x'], 'cannot be a run id'],
  ];
  for (const [words, said] of wrong) {
    const { code, out, err } = await project.call(['orchestrator', ...words]);
    expect({ words, code, out }, err).toEqual({ words, code: 64, out: '' });
    expect(err).toContain(said);
  }
  const prompted = await project.call(['orchestrator', 'ospec-agent', 'x']);
  expect([prompted.code, prompted.out]).toEqual([69, '']);
  expect((await project.call(['orchestrator', 'two', 'x', '--estimate'])).out).toContain(
    'nothing was started',
  );
  expect(existsSync(join(project.path, '.tutti'))).toBe(false);
});
