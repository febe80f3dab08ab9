import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createSession } from '../../src/app/session-control/create.ts';
import { killSession } from '../../src/app/session-control/kill.ts';
import { runProcesses } from '../../src/runtime/end-run.ts';
import { until } from '../rig/attempt-rig.ts';
import { plainRequest } from '../sessions/plain-request.ts';
import { needSandbox, RelayProject, tutti } from './project.ts';

/** A project with a plan, and an agent that may say something about it. */
async function withPlan(): Promise<RelayProject> {
  const project = new RelayProject('workspace');
  await project.toExecuting();
  return project;
}

function logged(project: RelayProject): readonly string[] {
  if (!existsSync(join(project.planDir, 'activity.log'))) return [];
  const lines = project.read('activity.log').trimEnd().split('\n');
  return lines.map((line) => line.replace(/^.*decision: /, '')).toSorted();
}

function leftAnswers(project: RelayProject): readonly string[] {
  const all = join(project.home, '.local/state/tutti/answers');
  return readdirSync(all).flatMap((mark) => readdirSync(join(all, mark)));
}

test('an agent that ignores the answer and ends has had its command carried out', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  // It waits only until the request was taken.
  const id = await project.act(`(${tutti} log INFO chief decision ignored >/dev/null 2>&1 &)
until ls "$TUTTI_ANSWERS"/*.out >/dev/null 2>&1; do sleep 0.02; done`);
  expect(logged(project)).toEqual(['ignored']);
  expect(await project.open().queries.sessions.one(id)).toMatchObject({
    status: 'COMPLETED',
    outcome: 'SUCCESS',
  });
  expect(leftAnswers(project)).toEqual([]);
});

test('a command whose caller is killed while it waits is carried out once, and the next call works', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  const id = await project.act(`${tutti} log INFO chief decision first >/dev/null 2>&1 & caller=$!
until ls "$TUTTI_ANSWERS"/*.out >/dev/null 2>&1; do sleep 0.02; done
kill -KILL $caller
say second log INFO chief decision second`);
  expect(project.said(id, 'second')).toEqual({ out: '', err: '', code: '0' });
  expect(logged(project)).toEqual(['first', 'second']);
});

test('two calls at once are each carried out once and answered', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  const id = await project.act(
    `(say one log INFO chief decision one) & (say two log INFO chief decision two) & wait`,
  );
  for (const name of ['one', 'two']) expect(project.said(id, name)).toEqual({ out: '', err: '', code: '0' });
  expect(logged(project)).toEqual(['one', 'two']);
});

test('a call in the name of another session is refused', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  const id = await project.act('TUTTI_SESSION_ID=another say forged log INFO chief decision forged');
  expect(project.said(id, 'forged')).toEqual({
    out: '',
    err: `tutti: this is session ${id}, and cannot act as another\n  → see what a sandbox allows: tutti help sandbox\n`,
    code: '64',
  });
  expect(logged(project)).toEqual([]);
});

test('input, and a prompt in the private /tmp, reach the command outside', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  const id = await project.act(`printf 'from /tmp' > /tmp/prompt.md
say create session create worker /tmp/prompt.md --driver idle --json
child=$(sed 's/.*"session_id": *"\\([^"]*\\)".*/\\1/' "$TUTTI_SESSION_DIR/create.out" | grep -m1 .)
say wait session wait "$child"
printf 'and more' | ${tutti} session continue "$child" - >"$TUTTI_SESSION_DIR/more.out" 2>&1; echo $? > "$TUTTI_SESSION_DIR/more.code"`);
  expect(project.said(id, 'create')).toMatchObject({ err: '', code: '0' });
  expect(project.said(id, 'wait')).toMatchObject({ out: expect.stringContaining('COMPLETED') });
  const [child] = await project
    .open()
    .queries.sessions.list(
      { status: null, tags: [], parent: id, archived: false },
      { limit: null, before: null },
    );
  expect(child).toMatchObject({ agent: 'worker' });
  const prompts = readdirSync(join(project.path, '.tutti/sessions')).map((each) =>
    project.sessionFile(each, 'prompt.md'),
  );
  expect(prompts.filter((prompt) => prompt.includes('from /tmp'))).not.toEqual([]);
  // The driver keeps no conversation, which the command says: the text arrived where it is judged.
  expect(project.sessionFile(id, 'more.out')).not.toContain('sandbox');
});

test('an agent whose file does not allow sessions is refused as outside, and the refusal is in the audit', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  const id = await project.act('say create session create worker task.md --driver idle', 'worker');
  expect(project.said(id, 'create')).toMatchObject({
    code: '64',
    err: expect.stringContaining(
      `session ${id} may not start agents: agent worker does not have 'sessions' in allow`,
    ),
  });
  const feed = await project.open().queries.events(null, 0);
  const refused = feed.flatMap(({ event }) => (event.type === 'session.refused' ? [event.requester] : []));
  expect(refused).toEqual([`session:${id}`]);
});

test('an agent speaks after every process that started it was killed', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  project.script('until [ -e go ]; do sleep 0.02; done\nsay late log INFO chief decision late');
  const opened = project.open();
  const creator = fileURLToPath(new URL('../sessions/creator.ts', import.meta.url));
  const request = { ...plainRequest(project.path, join(project.path, 'task.md')), agent: 'chief' };
  const env = { PATH: process.env['PATH'] ?? '', HOME: project.home, USER: 'ada' };
  const id = execFileSync(process.execPath, [creator, JSON.stringify(request)], {
    encoding: 'utf8',
    env,
    cwd: project.path,
  });
  await until('a conductor follows it', async () => (await opened.queries.conductor()) !== null);
  process.kill((await opened.queries.conductor())?.pid ?? 0, 'SIGKILL');
  project.put('go', '');
  await until('the launcher recorded the end', () => project.sessionFile(id, 'exit') !== '');
  expect(project.said(id, 'late')).toEqual({ out: '', err: '', code: '0' });
  expect(logged(project)).toEqual(['late']);
});

/** A session that reads nothing: a message that no pipe holds waits for as long as it may. */
async function startDeaf(project: RelayProject) {
  const request = { ...plainRequest(project.path, join(project.path, 'task.md')), driver: 'deaf' };
  const created = await createSession(project.open(), request);
  if (!created.ok) throw new Error(created.error.message);
  const { id } = created.value.session;
  const spool = join(project.path, '.tutti/sessions', id, 'spool');
  const isSent = (): boolean => existsSync(spool) && readdirSync(spool).length > 0;
  const send = `head -c 1000000 /dev/zero | tr '\\0' x | ${tutti} session send ${id} - --timeout 1h >/dev/null 2>&1`;
  return { send, spool, isSent };
}

test('a signal to a waiting caller ends the command that is carried out for it', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  const { send, spool } = await startDeaf(project);
  const id = await project.act(`${send} & caller=$!
until [ -n "$(ls ${spool} 2>/dev/null)" ]; do sleep 0.02; done
kill -TERM $caller; wait $caller; echo $? > "$TUTTI_SESSION_DIR/ended.code"`);
  expect(project.said(id, 'ended').code).toBe('143');
});

test('killing a session ends the command that is carried out for it', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  const opened = project.open();
  const { send, isSent } = await startDeaf(project);
  const { id, runId } = await project.start(send);
  await until('it is carried out', isSent);
  expect(runProcesses(opened.paths.mark, runId)).toBeGreaterThan(0);
  const killed = await killSession(opened, { id, reason: 'enough', by: 'test' });
  expect(killed).toMatchObject({ value: { how: 'killed', session: { status: 'KILLED' } } });
  expect(runProcesses(opened.paths.mark, runId)).toBe(0);
  expect(leftAnswers(project)).not.toContain(id);
});

/** The relay of a session, by its arguments. */
function relayOf(session: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    try {
      const [, program = '', told = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return program.includes('relay-program') && told.includes(`"session":"${session}"`);
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`session ${session} has no relay`);
  return Number(found);
}

test('a relay that is killed before it answers takes its sandbox along, and its commands are not repeated', async (context) => {
  needSandbox(context);
  await using project = await withPlan();
  const opened = project.open();
  const { send, isSent } = await startDeaf(project);
  const { id, runId } = await project.start(
    `say once log INFO chief decision once\n${send}\nsay twice log INFO chief decision twice`,
  );
  await until('a command is under way', isSent);
  process.kill(relayOf(id), 'SIGKILL');
  await project.untilEnded(opened, id);
  expect(await opened.queries.sessions.one(id)).toMatchObject({ status: 'FAILED' });
  await until('nobody is left', () => runProcesses(opened.paths.mark, runId) === 0);
  expect(logged(project)).toEqual(['once']);
  // What it left is removed by the next session, whose relay answers as usual.
  const next = await project.act('say again log INFO chief decision again');
  expect(project.said(next, 'again')).toEqual({ out: '', err: '', code: '0' });
  expect(leftAnswers(project)).not.toContain(id);
});
