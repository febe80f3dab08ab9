import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { createSession } from '../../src/app/session-control/create.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import type { SessionHost } from '../../src/model/turn.ts';
import { needProgram } from '../rig/need-program.ts';
import { writeProject } from '../rig/program.ts';
import { SessionProject } from './project.ts';
import { hostilePrompts } from './prompts.ts';

/** Notes what it was given, byte for byte. All end together, so that one conductor sees them all. */
const delegation = '**TASK DELEGATION**:\n\n';
const recorder = `cat > "$TUTTI_SESSION_DIR/seen"
while [ ! -e "$TUTTI_PROJECT/go" ]; do sleep 0.5; done
`;

function recording(): SessionProject {
  const drivers = { tape: { type: 'command', command: ['sh', './tape.sh'] } };
  const project = new SessionProject({ driver: 'tape', drivers, max_sessions: 100 });
  writeProject(project.path, { 'tape.sh': recorder });
  return project;
}

test.for<SessionHost>(['headless', 'tmux'])(
  '%s: 60 hostile prompts arrive byte for byte and run nothing',
  {
    timeout: 300_000,
  },
  async (host, context) => {
    if (host === 'tmux') needProgram(context, 'tmux');
    expect(hostilePrompts).toHaveLength(60);
    await using project = recording();
    const tutti = project.open();
    const ids = new Map<string, string>();
    for (const prompt of hostilePrompts) {
      ids.set(prompt, (await project.create(tutti, prompt, { host, result: 'optional' })).id);
    }
    project.go('go');
    for (const [prompt, id] of ids) {
      expect(await waitForSession(tutti, id, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
      const spec = await tutti.queries.spec(id, (await tutti.queries.sessions.one(id))?.key ?? '');
      if (spec === null) throw new Error('there is no spec');
      const seen = readFileSync(join(project.path, '.tutti', 'sessions', id, 'seen'));
      expect(spec.prompt === prompt, JSON.stringify(prompt.slice(0, 60))).toBe(true);
      // What precedes the person's words is Tutti's own: the role, and how to hand over a result.
      const task = seen.subarray(seen.indexOf(delegation) + delegation.length);
      expect(task.equals(Buffer.from(prompt)), JSON.stringify(prompt.slice(0, 60))).toBe(true);
      expect(project.file(id, 'prompt.md') === prompt).toBe(true);
    }
    expect(existsSync(join(project.path, 'CANARY'))).toBe(false);
    expect(existsSync('CANARY')).toBe(false);
  },
);

test('a prompt of 1 MB arrives; one with NUL, of other bytes than text, or with nothing in it is refused', async () => {
  await using project = recording();
  const tutti = project.open();
  const large = "it's `large` $(x);\n".repeat(56_000);
  project.go('go');
  const { id } = await project.create(tutti, large, { result: 'optional' });
  expect(await waitForSession(tutti, id, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
  expect(project.file(id, 'seen').endsWith(large)).toBe(true);
  for (const prompt of ['nul\0here', ' \n', '']) {
    expect(await createSession(tutti, project.request(prompt))).toMatchObject({
      error: { outcome: 'USAGE' },
    });
  }
  const request = project.request('x');
  expect(await createSession(tutti, { ...request, promptFile: 'absent.md' })).toMatchObject({
    error: { message: 'Task prompt file not found: absent.md' },
  });
  expect(await tutti.queries.runs(null)).toHaveLength(1);
});
