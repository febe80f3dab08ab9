import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { createSession } from '../../src/app/session-control/create.ts';
import { killSession } from '../../src/app/session-control/kill.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { sessionStatusForm } from '../../src/model/schemas/session-output.ts';
import { workflows } from '../../src/app/workflows.ts';
import { cli } from '../cli/rig.ts';
import { until } from '../rig/attempt-rig.ts';
import { needProgram } from '../rig/need-program.ts';
import { writeProject } from '../rig/program.ts';
import { SessionProject } from './project.ts';

/** Tries to write into the workspace, into Tutti's own tables and beside the project. */
const trying = `cat > /dev/null
echo x > inside.txt
echo x > ../tutti-sandbox-escape
(echo x >> .tutti/tutti.db) 2> /dev/null
echo "$?" > "$TUTTI_SESSION_DIR/tried"
case $(cat hold 2>/dev/null) in yes) setsid sleep 300 & sleep 300 ;; esac
echo '{"status":"success"}' > "$TUTTI_RESULT"
`;

function sandboxedProject(): SessionProject {
  const project = new SessionProject({
    driver: 'tries',
    drivers: { tries: { type: 'command', command: ['sh', './trying.sh'] } },
    sandbox: 'workspace',
  });
  writeProject(project.path, { 'trying.sh': trying, 'agents/builder.md': 'You build.\n' });
  return project;
}

test('a sandboxed agent works in its workspace and hands over, and reaches neither the tables nor its neighbours', async (context) => {
  needProgram(context, 'bwrap');
  await using project = sandboxedProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'try', { agent: 'builder' });
  expect(await waitForSession(tutti, id, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
  expect(readFileSync(join(project.path, 'inside.txt'), 'utf8')).toBe('x\n');
  expect(project.file(id, 'tried')).not.toBe('0\n');
  // What it wrote to its own /tmp is gone with it.
  expect(existsSync(join(project.path, '..', 'tutti-sandbox-escape'))).toBe(false);
  expect(await tutti.queries.sessions.one(id)).toMatchObject({ status: 'COMPLETED' });
});

test('a command agent without Edit, Write and Bash cannot change its workspace, and hands over its result', async (context) => {
  needProgram(context, 'bwrap');
  await using project = new SessionProject({
    driver: 'tries',
    drivers: { tries: { type: 'command', command: ['sh', './trying.sh'] } },
  });
  const agents = {
    'agents/reader.md': '---\ntools: Read, Grep\n---\nYou read.\n',
    'agents/free.md': 'You work.\n',
  };
  writeProject(project.path, { 'trying.sh': trying, ...agents });
  const tutti = project.open();
  const writes = async (agent: string): Promise<boolean> => {
    const { id } = await project.create(tutti, 'try', { agent });
    expect(await waitForSession(tutti, id, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
    return existsSync(join(project.path, 'inside.txt'));
  };
  expect(await writes('reader')).toBe(false);
  // The control: the same program for an agent whose file names no tools.
  expect(await writes('free')).toBe(true);
  rmSync(join(project.path, '..', 'tutti-sandbox-escape'), { force: true });
});

test('killing a sandboxed session ends everything inside', async (context) => {
  needProgram(context, 'bwrap');
  await using project = sandboxedProject();
  writeProject(project.path, { hold: 'yes' });
  const tutti = project.open();
  const { id } = await project.create(tutti, 'try');
  await until('it works', () => existsSync(join(project.path, '.tutti/sessions', id, 'tried')));
  const killed = await killSession(tutti, { id, reason: 'enough', by: 'test' });
  expect(killed).toMatchObject({ value: { how: 'killed', session: { status: 'KILLED' } } });
});

/** Makes a settings file of a CLI, which the person has not, and works on where it is asked to. */
const settling = `cat > /dev/null
mkdir -p .claude && echo '{"hooks":{}}' > .claude/settings.json
case $(cat hold 2>/dev/null) in yes) trap '' TERM; while :; do sleep 1; done ;; esac
echo '{"status":"success"}' > "$TUTTI_RESULT"
`;

test.for(['ends', 'is killed'] as const)(
  'a settings file that a sandboxed agent makes is moved away when its session %s, and status says so',
  async (how, context) => {
    needProgram(context, 'bwrap');
    await using project = sandboxedProject();
    writeProject(project.path, { 'trying.sh': settling, ...(how === 'ends' ? {} : { hold: 'yes' }) });
    const tutti = project.open();
    const { id, runId } = await project.create(tutti, 'try', { agent: 'builder' });
    const made = join(project.path, '.claude/settings.json');
    if (how === 'is killed') {
      await until('it made the file', () => existsSync(made));
      await killSession(tutti, { id, reason: 'enough', by: 'test' });
    } else await waitForSession(tutti, id, hangLimitMs);
    expect(existsSync(made)).toBe(false);
    expect(project.file(id, 'session.log')).toMatch(
      /WARN\] The agent made .*settings\.json, .*; moved to .*\/put-aside-/,
    );
    expect(await tutti.queries.warnedSessions(runId, 'put-aside')).toEqual([id]);
    const status = await runStatus(tutti, workflows, runId);
    expect(status?.incidents.map(({ text }) => text)).toEqual([
      expect.stringContaining('they were moved away'),
    ]);
    const json = await cli({ folder: project.path }, 'session', 'status', id, '--json');
    const [move] = sessionStatusForm.parse(JSON.parse(json.out)).put_aside;
    expect(move).toMatchObject({ from: made, to: expect.stringContaining(`${id}/put-aside-`) });
    const words = `${made}, now ${move?.to ?? ''} → look at it, then move it back or delete it\n`;
    const show = async (...args: readonly string[]) => (await cli({ folder: project.path }, ...args)).out;
    expect(await show('session', 'status', id)).toContain(`Put aside: ${words}`);
    expect(await show('status', runId)).toContain(
      `  session ${id} made what can start programs outside its sandbox: ${words}`,
    );
    expect(JSON.parse(await show('status', runId, '--json'))).toMatchObject({
      put_aside: [{ session_id: id, ...move }],
    });
    // The control: once it is moved back, nothing of it is shown.
    renameSync(move?.to ?? '', made);
    expect(await show('session', 'status', id)).not.toContain('Put aside');
    expect(JSON.parse(await show('status', runId, '--json'))).toMatchObject({ put_aside: [] });
  },
);

test('without the tool that was asked for nothing is created', async () => {
  await using project = sandboxedProject();
  writeProject(project.path, { 'bin/sh': '' });
  const tutti = project.open({ PATH: join(project.path, 'bin') });
  expect(await createSession(tutti, project.request('try'))).toMatchObject({
    error: { outcome: 'UNAVAILABLE', message: expect.stringContaining('sandbox: workspace needs bwrap') },
  });
  expect(await tutti.queries.runs(null)).toEqual([]);
});
