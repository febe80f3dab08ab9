import { expect, test } from 'vitest';
import { auditEvents } from '../../src/app/sessions/audit.ts';
import { system } from '../../src/lib/process/system.ts';
import { spawnForm } from '../../src/model/schemas/spawn-output.ts';
import { needSandbox } from '../command-relay/project.ts';
import { allOf } from '../rig/all-of.ts';
import { until } from '../rig/attempt-rig.ts';
import { openTutti } from '../rig/trust.ts';
import { answerOf, SpawnProject } from './project.ts';

const depthsOf = ({ begun }: SpawnProject) => begun.map((line) => line.split(' ')[2]);

test('sessions are admitted at depth 1 to N exactly, with a warning at the last level', async () => {
  using project = new SpawnProject();
  // Each agent starts the next one, with its quotes taken off at each level.
  const nested = String.raw`nest --prompt "nest --prompt \"nest --prompt inner\""`;
  const { code, stdout, stderr } = await project.start(nested, '--max-depth', '2').ended;
  expect(code, stderr).toBe(0);
  expect(answerOf(stdout)).toMatchObject({ DEPTH: '1', STATUS: 'SUCCESS' });
  expect(stderr).not.toContain('no further session');
  expect(depthsOf(project)).toEqual(['1/2', '2/2']);
  // The innermost call was refused before any launch, and its caller was warned when it began.
  expect(project.nestedCodes).toEqual(['2 exit 2', '1 exit 0']);
  expect(project.read('nested.err')).toMatch(/depth 2 of 2: the agent can start no further session/);
});

test('a nested spawn belongs to the run and the trace of its caller, and raises no limit', async () => {
  using project = new SpawnProject({ max_depth: 2 });
  const outer = await project.start('nest --prompt inner --json --run-id inside', '--run-id', 'outside')
    .ended;
  expect(outer.code, outer.stderr).toBe(0);
  const inner = spawnForm.parse(JSON.parse(project.read('nested.out')));
  expect(inner).toMatchObject({ depth: 2, trace_id: answerOf(outer.stdout)['TRACE_ID'] });
  const opened = openTutti({ folder: project.path, env: { HOME: project.path }, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using tutti = opened.value;
  expect(await tutti.queries.run('inside')).toMatchObject({ depth: 1, rootId: 'outside' });
  const session = await tutti.queries.sessions.one(inner.session_id ?? '');
  expect(session).toMatchObject({ parent: answerOf(outer.stdout)['SESSION_ID'], depth: 2 });
  // Only a person allows more than the configuration, and no run may be used that was started less deep.
  await project.start('nest --prompt inner --max-depth 9').ended;
  await project.start('nest --prompt other --run-id outside').ended;
  await project.start('nest --prompt inner --current-depth 0').ended;
  expect(project.nestedCodes).toEqual(['1 exit 0', '1 exit 3', '1 exit 2', '1 exit 64']);
});

test('an agent that forges or drops its variables is as deep as its session, and has its trace', async () => {
  using project = new SpawnProject({ max_depth: 2 });
  const outer = await project.start('forges').ended;
  expect(outer.code, outer.stderr).toBe(0);
  expect(project.nestedCodes).toEqual(['1 exit 0']);
  const inner = spawnForm.parse(JSON.parse(project.read('nested.out')));
  expect(inner).toMatchObject({ depth: 2, trace_id: answerOf(outer.stdout)['TRACE_ID'] });
  expect(depthsOf(project)).toEqual(['1/2', '2/2']);
  // One level less, and it is refused before any launch.
  const shallow = await project.start('forges', '--max-depth', '1').ended;
  expect(shallow.code).toBe(0);
  expect(project.nestedCodes.at(-1)).toBe('1 exit 2');
  expect(depthsOf(project)).toEqual(['1/2', '2/2', '1/1']);
});

test('an agent in a sandbox spawns through the relay, at its own depth', async (context) => {
  needSandbox(context);
  using project = new SpawnProject({ max_depth: 2, sandbox: 'workspace' });
  const outer = await project.start('nest --prompt inner --json').ended;
  expect(outer.code, outer.stderr).toBe(0);
  expect(project.nestedCodes, project.read('nested.err')).toEqual(['1 exit 0']);
  const inner = spawnForm.parse(JSON.parse(project.read('nested.out')));
  expect(inner).toMatchObject({ depth: 2, trace_id: answerOf(outer.stdout)['TRACE_ID'] });
  await project.start('nest --prompt inner', '--max-depth', '1').ended;
  expect(project.nestedCodes).toEqual(['1 exit 0', '1 exit 2']);
  expect(depthsOf(project)).toEqual(['1/2', '2/2', '1/1']);
});

test('depth and trace of a caller that is not Tutti count, and are passed on', async () => {
  using project = new SpawnProject({ max_depth: 3 });
  const env = { AGENTIC_SPAWN_DEPTH: '2', AGENTIC_TRACE_ID: 'feedfacefeedface' };
  const call = (...flags: readonly string[]) => project.call(['spawn', '--prompt', 'x', ...flags], { env });
  const { code, out, err } = await call();
  expect(code, err).toBe(0);
  expect(answerOf(out)).toMatchObject({ DEPTH: '3', TRACE_ID: 'feedfacefeedface' });
  expect(err).toContain('depth 3 of 3');
  expect(project.begun).toEqual(['begin depth 3/3 3 trace feedfacefeedface feedfacefeedface']);
  expect((await call('--max-depth', '2')).code).toBe(2);
  expect((await call('--current-depth', '1')).code).toBe(64);
  expect((await call('--current-depth', '3')).code).toBe(2);
  const deeper = await project.spawn('x', '--current-depth', '1');
  expect(answerOf(deeper.out)).toMatchObject({ DEPTH: '2' });
  expect(project.begun).toHaveLength(2);
  // Refusals stand in the audit.
  const opened = openTutti({ folder: project.path, env: { HOME: project.path }, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using tutti = opened.value;
  const refused = await allOf(auditEvents(tutti, { sinceMs: null, kind: 'quota', session: null }));
  expect(refused).toHaveLength(3);
});

test('stopping the run of a spawn kills its agent and the sessions inside it, and resume continues', async () => {
  using project = new SpawnProject();
  const outer = project.start('nest --prompt slow --run-id inner', '--run-id', 'outer');
  await until('the inner agent works', () => project.begun.length === 2);
  const stopped = await project.call(['stop', 'outer']);
  expect(stopped.code, stopped.err).toBe(0);
  const end = await outer.ended;
  expect([end.code, answerOf(end.stdout)['STATUS']]).toEqual([20, 'INTERRUPTED']);
  const left = system()
    .all()
    .filter(({ pid }) => (system().variable(pid, 'TUTTI_PROJECT') ?? '') === project.path);
  expect(left).toEqual([]);
  project.write('go', '');
  expect((await project.call(['resume', 'inner'])).code).toBe(0);
});

test('a spawn whose process is killed is continued by resume, without a second launch', async () => {
  using project = new SpawnProject();
  const spawned = project.start('slow', '--run-id', 'killed');
  await until('the agent works', () => project.begun.length === 1);
  spawned.child.kill('SIGKILL');
  await spawned.ended;
  project.write('go', '');
  const resumed = await project.call(['spawn', '--prompt', 'slow', '--run-id', 'killed']);
  expect(resumed.code, resumed.err).toBe(0);
  expect(answerOf(resumed.out)['SUMMARY']).toBe("'slow and sure'");
  expect(project.begun).toHaveLength(1);
});

test('a session of a spawn that is killed ends the spawn as interrupted', async () => {
  using project = new SpawnProject();
  const spawned = project.start('slow');
  await until('the agent works', () => project.begun.length === 1);
  const killed = await project.call(['session', 'kill', 'last', '--force']);
  expect(killed.code, killed.err).toBe(0);
  const { code, stdout } = await spawned.ended;
  expect([code, answerOf(stdout)['STATUS']]).toEqual([20, 'INTERRUPTED']);
});
