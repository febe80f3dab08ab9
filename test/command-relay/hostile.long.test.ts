import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needSandbox, RelayProject } from './project.ts';

/**
 * Writes request files by itself, one after the other, waits for each answer, and notes it. `$TRIES` is a list of
 * [name, request] with `PROJECT` and `SECRET` in place of paths.
 */
const hostile = `
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
const { TUTTI_SESSION_DIR: dir, TUTTI_ANSWERS: answers, TUTTI_PROJECT: project, TUTTI_SESSION_ID: session } = process.env;
const told = {};
let count = 0;
const id = () => (++count).toString(16).padStart(32, '0');
const answered = async (id) => {
  const until = Date.now() + 60000;
  while (!existsSync(answers + '/' + id + '.json')) {
    if (Date.now() > until) return 'nothing';
    await new Promise((go) => setTimeout(go, 10));
  }
  const read = (kind) => readFileSync(answers + '/' + id + '.' + kind, 'utf8');
  const end = JSON.parse(read('json'));
  return end.refused ?? end.exitCode + ' ' + read('err');
};
const usual = { kind: 'command', session, argv: [], cwd: project, env: {}, stdin: null };
for (const [name, request] of JSON.parse(readFileSync(project + '/tries.json', 'utf8'))) {
  const one = id();
  writeFileSync(dir + '/requests/draft', JSON.stringify({ ...usual, ...request }));
  renameSync(dir + '/requests/draft', dir + '/requests/' + one + '.json');
  told[name] = await answered(one);
}
const attempt = (name, work) => {
  try { work(); told[name] = 'done'; } catch (error) { told[name] = error.code; }
};
attempt('move the requests away', () => renameSync(dir + '/requests', dir + '/aside'));
attempt('remove the requests', () => rmdirSync(dir + '/requests'));
attempt('write an answer', () => writeFileSync(answers + '/' + 'c'.repeat(32) + '.json', '{"exitCode":0}'));
attempt('ask another relay', () => writeFileSync(dir + '/../victim/requests/' + 'd'.repeat(32) + '.json', '{}'));
attempt('write beside the answers', () => writeFileSync(answers + '/../../x', ''));
told['answers of others'] = readdirSync(answers + '/../..').concat(readdirSync(answers + '/..')).join(' ').replace(session, 'own');
mkdirSync(dir + '/requests/' + id() + '.json');
spawnSync('mkfifo', [dir + '/requests/' + id() + '.json']);
symlinkSync('/etc/passwd', dir + '/requests/' + id() + '.json');
writeFileSync(dir + '/requests/' + id() + '.json', 'x'.repeat(9 * 1024 * 1024));
for (let index = 0; index < 3000; index += 1) writeFileSync(dir + '/requests/' + id() + '.json', '{"kind":');
writeFileSync(dir + '/told.json', JSON.stringify(told));
`;

const command = (argv: readonly string[], more: object = {}) => ({ argv, ...more });
const log = ['log', 'INFO', 'evil', 'decision', 'forged'];

test('an agent that writes requests by itself gains nothing, and its next honest command works', {
  timeout: 300_000,
}, async (context) => {
  needSandbox(context);
  await using project = new RelayProject('workspace');
  await project.toExecuting();
  const beside = join(project.path, '..');
  const secret = join(beside, 'secret.md');
  writeFileSync(secret, 'a secret of the person');
  // Another project of the person, with a plan of its own.
  await using other = new RelayProject('workspace');
  await other.toExecuting();
  const flow = 'steps:\n  - id: a\n    run: [sh, -c, "touch escaped"]\n';
  mkdirSync(join(project.path, 'sub'));
  mkdirSync(join(project.path, '.tutti/sessions/victim/requests'), { recursive: true });
  project.put('sub/tutti.yaml', 'sandbox: off\n');
  project.put('flow.yaml', flow);
  project.put('hostile.mjs', hostile);
  const tries: Record<string, object> = {
    'another session': command(log, { session: 'somebody-else' }),
    'no session': command(log, { session: null }),
    'a variable of a person': command(log, { env: { TUTTI_SESSION_ID: '' } }),
    'a variable of node': command(log, { env: { NODE_OPTIONS: '--require ./evil.cjs' } }),
    'a free confinement': command(log, { env: { TUTTI_CONFINED: '' } }),
    'a shell string': { argv: `log; touch ${beside}/escaped` },
    'another program': command(['/bin/sh', '-c', 'touch escaped'], { program: '/bin/sh' }),
    'a flow of its own': command(['run', 'flow.yaml']),
    'a conductor': command(['conductor']),
    'trust in itself': command(['trust', '--yes']),
    'a service': command(['service', 'install']),
    'a completion': command(['__complete', 'session', '']),
    approving: command(['plan', 'approve']),
    'allowing itself': command(['allow', 'approve', '--for', '1h']),
    'a folder of the person': command(log, { cwd: beside }),
    'a folder through a link': command(log, { cwd: join(project.path, 'out') }),
    'another project': command([...log, '--plan', other.planDir]),
    'another project by variable': command(log, { env: { TUTTI_PLAN_DIR: other.planDir } }),
    'a nested project': command(['session', 'create', 'worker', 'task.md'], {
      cwd: join(project.path, 'sub'),
    }),
    'a prompt through a link': command(['session', 'create', 'worker', 'link.md', '--driver', 'idle']),
    'a prompt above': command(['session', 'create', 'worker', '../secret.md', '--driver', 'idle']),
    'a schema elsewhere': command(['session', 'create', 'worker', 'task.md', '--result-schema', secret]),
    'a specification elsewhere': command(['plan', 'init', '--plan', 'mine', '--spec', secret]),
    'a specification to plan': command(['plan', 'make', secret]),
    'a target elsewhere': command(['plan', 'init', beside, '--plan', 'mine', '--spec', 'task.md']),
    'another folder to write': command(['session', 'create', 'worker', 'task.md', '--add-dir', beside]),
    'another parent': command(['session', 'create', 'worker', 'task.md', '--parent', 'somebody-else']),
  };
  project.put('tries.json', JSON.stringify(Object.entries(tries)));
  const id = await project.act(`ln -s ${beside} out; ln -s ${secret} link.md
'${process.execPath}' hostile.mjs
say honest log INFO chief decision honest
rm -rf out link.md "$TUTTI_SESSION_DIR"/requests/* 2>/dev/null`);
  const told: unknown = JSON.parse(project.sessionFile(id, 'told.json') || '{}');
  const refused = (words: string) => expect.stringContaining(words);
  const none = "none of this session's";
  expect(told, project.sessionFile(id, 'output.log')).toEqual({
    'another session': `this is session ${id}, and cannot act as somebody-else`,
    'no session': `this is session ${id}, and cannot act as no session`,
    'a variable of a person': 'it may not set the variable TUTTI_SESSION_ID',
    'a variable of node': 'it may not set the variable NODE_OPTIONS',
    'a free confinement': 'it may not set the variable TUTTI_CONFINED',
    'a shell string': 'its arguments are not a list of words',
    'another program': refused('69 tutti: tutti /bin/sh -c is not carried out'),
    'a flow of its own': refused('69 tutti: tutti run flow.yaml is not carried out'),
    'a conductor': refused('69 tutti: tutti conductor is not carried out'),
    'trust in itself': refused('69 tutti: tutti trust --yes is not carried out'),
    'a service': refused('69 tutti: tutti service install is not carried out'),
    'a completion': refused('69 tutti: tutti __complete session is not carried out'),
    approving: refused('3 tutti: only a person may approve or refuse a plan'),
    'allowing itself': refused('3 tutti: only a person may delegate a decision'),
    'a folder of the person': refused(none),
    'a folder through a link': refused(none),
    'another project': refused('64 tutti: an agent in a sandbox may use only its own project'),
    'another project by variable': refused('64 tutti: an agent in a sandbox may use only its own project'),
    'a nested project': refused('64 tutti: an agent in a sandbox may use only its own project'),
    'a prompt through a link': refused(`64 tutti: Task prompt file link.md is ${none}`),
    'a prompt above': refused(`64 tutti: Task prompt file ../secret.md is ${none}`),
    'a schema elsewhere': refused(none),
    'a specification elsewhere': refused(none),
    'a specification to plan': refused(none),
    'a target elsewhere': refused('64 tutti: an agent in a sandbox may not name the folder'),
    'another folder to write': refused('is outside'),
    'another parent': refused('64 tutti: Session not found: somebody-else'),
    'move the requests away': 'EBUSY',
    'remove the requests': 'EBUSY',
    'write an answer': 'EROFS',
    'ask another relay': 'EROFS',
    'write beside the answers': 'EROFS',
    'answers of others': expect.stringMatching(/^[0-9a-f]{12} own$/),
  });
  expect(project.said(id, 'honest')).toEqual({ out: '', err: '', code: '0' });
  const lines = project.read('activity.log').trimEnd().split('\n');
  expect(lines).toEqual([expect.stringContaining('decision: honest')]);
  expect(existsSync(join(other.planDir, 'activity.log'))).toBe(false);
  for (const path of [join(beside, 'escaped'), join(project.path, 'escaped')])
    expect(existsSync(path)).toBe(false);
  // The person's secret is nowhere in the project.
  const sessions = await project
    .open()
    .queries.sessions.list(
      { status: null, tags: [], parent: null, archived: false },
      { limit: null, before: null },
    );
  expect(sessions.map((session) => session.id)).toEqual([id]);
  expect(existsSync(join(project.path, '.tutti/plans/mine'))).toBe(false);
  expect(readFileSync(join(project.path, '.tutti/sessions', id, 'session.log'), 'utf8').length).toBeLessThan(
    20_000,
  );
});
