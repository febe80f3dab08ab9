import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteHookBlocks } from '../../src/app/sessions/audit-blocks.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { finished } from './finished.ts';
import { SessionProject } from './project.ts';

async function told(tutti: Tutti, session: string): Promise<readonly string[]> {
  const filter = { since: 0, session, types: ['session.blocked'] as const };
  return [...(await tutti.queries.audit.events(filter, 0, 1000))].map(({ event }) =>
    event.type === 'session.blocked' ? event.message : '',
  );
}

test.each([
  [{ 'result.json': '{"hook_blocks": ["git push", {"tool": "Bash"}]}' }, 'git push; {"tool":"Bash"}'],
  [{ 'result.json': '{"hook_blocks": 2}' }, '2 times'],
  [{ 'result.json': '{}', 'state.json': '{"hook_blocks": 1}' }, '1 time'],
  [{ 'result.json': '{"hook_blocks": ["a\\n[x] forged"]}' }, 'a [x] forged'],
])('%j is told once: %s', async (files, message) => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id, runId } = await finished(project, tutti);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(tutti.paths.session(id), name), content);
  }
  await noteHookBlocks(tutti, runId);
  await noteHookBlocks(tutti, runId);
  expect(await told(tutti, id)).toEqual([message]);
});

test.each(['', '[]', '{"hook_blocks": []}', '{"hook_blocks": -1}', '{"hook_blocks": "x"}', 'not json'])(
  'a result of %j tells of no block',
  async (content) => {
    await using project = new SessionProject();
    const tutti = project.open();
    const { id, runId } = await finished(project, tutti);
    writeFileSync(join(tutti.paths.session(id), 'result.json'), content);
    await noteHookBlocks(tutti, runId);
    expect(await told(tutti, id)).toEqual([]);
  },
);
