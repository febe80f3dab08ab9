import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionDoings } from '../../src/app/sessions/session-doing.ts';
import { writeProject } from '../rig/program.ts';
import { SessionProject } from './project.ts';

test('a running session is told by its agent and its last action, read from the end of its log', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'wait go');
  const log = join(project.path, '.tutti', 'sessions', id, 'output.log');
  const doings = new SessionDoings(tutti);
  expect(await doings.describe(id)).toBe('worker');
  appendFileSync(log, `${'x'.repeat(100_000)}\nreading the parser\n`);
  expect(await doings.describe(id)).toBe('worker · reading the parser');
  // Nothing was added, so nothing is read again; an empty line tells nothing.
  expect(await doings.describe(id)).toBe('worker · reading the parser');
  appendFileSync(log, '\u001B[2Jfixing it\n\n');
  expect(await doings.describe(id)).toBe('worker · fixing it');
  expect(await doings.describe('20200101-000000-nobody')).toBe('');
});

test('a running session is told by the model that its agent’s own file names', async () => {
  await using project = new SessionProject();
  writeProject(project.path, { 'agents/thinker.md': '---\nmodel: opus\nallow: []\n---\nYou think.\n' });
  const tutti = project.open();
  const { id } = await project.create(tutti, 'wait go', { agent: 'thinker' });
  const { queries, paths, env, redactor } = tutti;
  const mine = { type: 'claude', program: 'claude', models: { medium: 'sonnet' } } as const;
  const asClaude = new SessionDoings({
    queries,
    paths,
    env,
    redactor,
    config: { ...tutti.config, drivers: { mine } },
  });
  expect(await asClaude.describe(id)).toBe('thinker · opus');
});

test('retries, denials, limits and a refused sign-in are the last action of a running session', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'wait go');
  const log = join(project.path, '.tutti', 'sessions', id, 'output.log');
  // Its log is read as that of claude from here on, as if claude had written it.
  const { queries, paths, env, redactor } = tutti;
  const config = {
    ...tutti.config,
    drivers: { mine: { type: 'claude', program: 'claude', models: {} } },
  } as const;
  const asClaude = new SessionDoings({ queries, paths, env, redactor, config });
  const say = async (...lines: readonly object[]): Promise<string> => {
    appendFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return (await asClaude.describe(id)).split(' · ').at(-1) ?? '';
  };
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm publish' } };
  expect(await say({ type: 'assistant', message: { content: [call] } })).toBe('Bash npm publish');
  const system = { type: 'system', session_id: 'c1' };
  expect(await say({ ...system, subtype: 'api_retry', attempt: 2, max_retries: 10, error_status: 529 })).toBe(
    'retrying: the model answered 529; attempt 2 of 10',
  );
  expect(await say({ ...system, subtype: 'permission_denied', tool_name: 'Bash', tool_use_id: 't1' })).toBe(
    'not permitted: Bash npm publish',
  );
  const limit = { status: 'rejected', resetsAt: 1_900_000_000 };
  expect(await say({ type: 'rate_limit_event', rate_limit_info: limit })).toBe(
    'usage limit until 2030-03-17 17:46:40 UTC',
  );
  // Control: what the agent does afterwards is shown again.
  expect(await say({ type: 'assistant', message: { content: [call] } })).toBe('Bash npm publish');
});
