import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runStatus } from '../../src/app/status/run-status.ts';
import { outlinesByName } from '../../src/model/outline.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { cheap, ExecuteProject, runId } from './project.ts';

const file = 'src/part-1/record-1.js';

test('what another process changes before a verifier begins is kept, restored and not blamed on the verifier', {
  timeout: 300_000,
}, async () => {
  using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
  const silent = { verdict: 'none' };
  // The last verifier tampers too: its change is its own.
  project.rules({
    'T001/verify': silent,
    'T001/verify-again': silent,
    'T001/verify-asked-1': { tampers: file },
  });
  using tutti = project.open();
  expect(await project.playIn(tutti, { tasks: ['T001'] })).toMatchObject({ outcome: 'HUMAN_INPUT' });
  const [executor] = await tutti.queries.sessions.ofRun(runId);
  const dir = (await tutti.queries.spec(runId, executor?.key ?? ''))?.workspace ?? '';
  appendFileSync(join(dir, file), '// from elsewhere\n');
  writeFileSync(join(dir, 'sneaked.txt'), 'from elsewhere\n');
  const answers = ['again'];
  expect(await project.advance(tutti, () => answers.pop() ?? null)).toEqual({
    outcome: 'SUCCESS',
    ran: ['T001/verify-asked-1', 'T001/verify-asked-1-again'],
  });
  const rescues = project.git('for-each-ref', '--format=%(refname)', 'refs/tutti/rescue').trim();
  expect(rescues).toMatch(/^refs\/tutti\/rescue\/records\/T001-1-before-[0-9a-f]{8}$/);
  expect(project.git('show', `${rescues}:sneaked.txt`)).toBe('from elsewhere\n');
  expect(project.git('show', `${rescues}:${file}`)).toContain('// from elsewhere');
  const said =
    'the workspace was changed by another process before the verifier began; ' +
    `these files were restored: sneaked.txt, ${file}, and what they were is kept under ${rescues}`;
  const { notes } = project.json('bundles/T001-result.json') as { notes: string };
  expect(notes.split('\n').slice(1)).toEqual([
    said,
    `files changed while the verifier judged, and were restored: ${file}`,
  ]);
  const status = await runStatus(tutti, outlinesByName, runId);
  expect(status?.incidents).toContainEqual({ step: 'T001/restore-before', text: said });
  expect(status?.incidents).toContainEqual({
    step: 'T001/restore',
    text: `files changed while the verifier judged, and were restored: ${file}`,
  });
  const landed = project.git('ls-tree', '-r', '--name-only', 'tutti/records/integration');
  expect(landed).not.toContain('sneaked.txt');
  expect(project.git('show', `tutti/records/integration:${file}`)).not.toContain('from elsewhere');
});
