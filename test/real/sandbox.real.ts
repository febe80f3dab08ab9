import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createSession } from '../../src/app/session-control/create.ts';
import { killSession } from '../../src/app/session-control/kill.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import { type SandboxMode, sandboxModes } from '../../src/model/sandbox.ts';
import { sandboxProblem } from '../../src/workspace/sandbox.ts';
import { until } from '../rig/attempt-rig.ts';
import { processesOf } from '../e2e/project.ts';
import { type LoopbackServer, loopbackServer } from '../rig/loopback-server.ts';
import type { ModelRule } from '../rig/model-brain.ts';
import { modelServer } from '../rig/model-server.ts';
import { writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { SessionProject } from '../sessions/project.ts';
import { claudeHome } from './claude-home.ts';
import { claudeProgram } from './claude-program.ts';
import { programOf } from './program-of.ts';

// `srt` lets programs go to 127.0.0.1 without its proxy, that is nowhere. Other addresses of the loopback are as any host.
const [allowedHost, otherHost] = ['127.0.0.2', '127.0.0.3'];

/** Tries everything it is told to, notes what it could, and reports. It speaks through the proxy where there is one. */
const probe = `import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
const { write, reach, secret } = JSON.parse(process.argv[2]);
const can = (act) => { try { act(); return true; } catch { return false; } };
const read = can(() => readFileSync(secret));
const written = write.filter((path) => can(() => closeSync(openSync(path, 'a'))));
const reached = [];
for (const url of reach) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  if (answer?.ok && (await answer.text()) === 'hello') reached.push(url);
}
writeFileSync(process.env.TUTTI_SESSION_DIR + '/probed.json', JSON.stringify({ written, reached, read }));
writeFileSync(process.env.TUTTI_RESULT, '{"status":"success","summary":"tried"}');
`;

function searchPath(srt: string): string {
  return [dirname(srt), dirname(process.execPath), '/usr/local/bin:/usr/bin:/bin'].join(':');
}

/** In the workspace, and still not for agents: what runs later with the person's rights, and what Tutti knows. */
const guarded = [
  '.git/hooks/pre-push',
  '.git/hooks/pre-commit',
  '.git/config',
  'tutti.yaml',
  '.tutti/tutti.db',
  '.codex/config.toml',
];

/** A person's home, and a project with a repository in which all that is guarded is there. */
class Place implements AsyncDisposable {
  readonly #root = tempFolder();
  readonly home = join(this.#root.path, 'home');
  readonly project: SessionProject;
  readonly env: Readonly<Record<string, string>>;

  constructor(srt: string, configOf: (home: string) => object) {
    mkdirSync(join(this.home, '.ssh'), { recursive: true });
    writeFileSync(join(this.home, '.ssh/id'), 'secret');
    this.project = new SessionProject(configOf(this.home));
    spawnSync('git', ['init', '-q', this.project.path]);
    writeProject(this.project.path, {
      'probe.mjs': probe,
      '.git/hooks/pre-push': '',
      '.codex/config.toml': '',
      // The agent of other tests changes no code.
      'agents/builder.md': 'You build.\n',
    });
    this.env = { HOME: this.home, PATH: searchPath(srt), NODE_USE_ENV_PROXY: '1' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.project[Symbol.asyncDispose]();
    this.#root[Symbol.dispose]();
  }
}

function helloServer(host: string): Promise<LoopbackServer> {
  return loopbackServer((_request, response) => response.end('hello'), host);
}

/** On a system that permits none, every test here would fail in other words; a sandbox is never left out instead. */
async function toolsOfStrict(): Promise<string> {
  const { program } = await programOf('srt');
  const missing = sandboxProblem({ mode: 'strict', write: [], domains: [] }, searchPath(program));
  expect(missing, 'the tools are not here').toBeNull();
  const [bwrap, ...flags] = ['bwrap', '--ro-bind', '/', '/'];
  const { status, stderr } = spawnSync(bwrap, [...flags, 'true'], { encoding: 'utf8' });
  expect(status, `this system permits no namespaces of users, so nothing is proven here: ${stderr}`).toBe(0);
  return program;
}

test.each(sandboxModes)('sandbox %s: what a program can write, read and reach', async (mode) => {
  const srt = await toolsOfStrict();
  await using allowed = await helloServer(allowedHost);
  await using other = await helloServer(otherHost);
  const hers = `/tmp/tutti-test-${randomUUID()}`;
  const own = ['it\'s "$(id)".txt', hers];
  const reach = [allowed.origin, other.origin];
  let write: readonly string[] = [];
  await using place = new Place(srt, (home) => {
    const [secret, profile] = [join(home, '.ssh/id'), join(home, '.bashrc')];
    write = [...own, ...guarded, profile];
    const command = [process.execPath, './probe.mjs', JSON.stringify({ write, reach, secret })];
    const drivers = { probe: { type: 'command', command, env: ['NODE_USE_ENV_PROXY'] } };
    return { driver: 'probe', drivers, sandbox: { mode, domains: [allowedHost] } };
  });
  const { project } = place;
  const tutti = project.open(place.env);
  const { id } = await project.create(tutti, 'try', { agent: 'builder' });
  expect(await waitForSession(tutti, id, 30_000)).toMatchObject({ value: { outcome: 'SUCCESS' } });
  // Of `off` everything, as the control: without a sandbox nothing holds it.
  const expected = {
    // A program of the operator is not for auto to hold.
    auto: { written: write, reached: reach, read: true },
    off: { written: write, reached: reach, read: true },
    workspace: { written: own, reached: reach, read: true },
    strict: { written: own, reached: [allowed.origin], read: false },
  } as const satisfies Record<SandboxMode, object>;
  expect(JSON.parse(project.file(id, 'probed.json'))).toEqual(expected[mode]);
  // Its /tmp was its own.
  expect(existsSync(hers)).toBe(mode === 'off' || mode === 'auto');
  rmSync(hers, { force: true });
});

test.each(['workspace', 'strict'] as const)(
  'sandbox %s: killed, it leaves nobody and nothing',
  async (mode) => {
    const srt = await toolsOfStrict();
    const script = 'echo > started; setsid tail -f /dev/null & wait';
    await using place = new Place(srt, () => ({
      driver: 'waits',
      drivers: { waits: { type: 'command', command: ['sh', '-c', script] } },
      sandbox: mode,
    }));
    const { project, env } = place;
    const tutti = project.open(env);
    const { id } = await project.create(tutti, 'wait', { agent: 'builder' });
    await until('it works', () => existsSync(join(project.path, 'started')));
    const untracked = (): string =>
      spawnSync('git', ['-C', project.path, 'status', '--short', '-uall'], { encoding: 'utf8' }).stdout;
    const during = untracked();
    const killed = await killSession(tutti, { id, reason: 'enough', by: 'test' });
    expect(killed).toMatchObject({ value: { how: 'killed', session: { status: 'KILLED' } } });
    await until('nobody is left', () => processesOf(project.path).length === 0);
    // `srt` lays files over names that are not there, which stay where it is killed: not in the workspace.
    expect(during).not.toContain('.bashrc');
    expect(untracked()).toBe(during);
  },
);

test('a system that permits no sandbox runs nothing, and its words are told', async () => {
  const srt = await toolsOfStrict();
  await using place = new Place(srt, () => ({
    driver: 'marks',
    drivers: { marks: { type: 'command', command: ['sh', '-c', 'echo > ran'] } },
    sandbox: 'workspace',
  }));
  const { project, env } = place;
  const words = 'bwrap: No permissions to create a new namespace';
  writeProject(project.path, { 'bin/bwrap': `#!/bin/sh\necho '${words}' >&2\nexit 1\n` });
  chmodSync(join(project.path, 'bin/bwrap'), 0o755);
  const tutti = project.open({ ...env, PATH: `${join(project.path, 'bin')}:${env['PATH']}` });
  expect(await createSession(tutti, project.request('try'))).toMatchObject({
    error: { outcome: 'UNAVAILABLE', message: expect.stringContaining(words) },
  });
  expect(existsSync(join(project.path, 'ran'))).toBe(false);
});

test('strict without srt is refused with the command that installs it', async () => {
  const srt = await toolsOfStrict();
  await using place = new Place(srt, () => ({ sandbox: 'strict' }));
  const { project } = place;
  const tutti = project.open({ HOME: place.home, PATH: '/usr/bin:/bin' });
  const refused = await createSession(tutti, project.request('try'));
  expect(refused).toMatchObject({
    error: {
      outcome: 'UNAVAILABLE',
      message: expect.stringMatching(/strict needs srt.*npm install -g @anthropic-ai\/sandbox-runtime/),
    },
  });
});

/** Real claude in its sandbox: it writes with a tool of its own, then tries in a shell what it may not. */
async function claudeIn(mode: SandboxMode, domains: readonly string[]) {
  const srt = await toolsOfStrict();
  const program = await claudeProgram();
  const tries = [...guarded, '"$HOME/.bashrc"'].map((path) => `(: >> ${path}) && echo ${path}`).join('; ');
  const command = `{ ${tries}; } > written.txt 2> /dev/null; true`;
  const rules: ModelRule[] = [];
  await using server = await modelServer(rules, allowedHost);
  let env: Readonly<Record<string, string>> = {};
  await using place = new Place(srt, (home) => {
    env = claudeHome(dirname(home), dirname(home), server);
    const names = Object.keys(env).filter((name) => /^(?:ANTHROPIC|CLAUDE|DISABLE)_/.test(name));
    const drivers = { claude: { type: 'claude', program, allowed_tools: ['Bash', 'Write'], env: names } };
    return { driver: 'claude', drivers, sandbox: { mode, domains } };
  });
  const { project } = place;
  const input = { file_path: join(project.path, 'a.txt'), content: 'A' };
  rules.push({
    steps: [
      { tools: [{ name: 'Write', input }] },
      { tools: [{ name: 'Bash', input: { command, description: 'x' } }] },
      { tools: [{ name: 'StructuredOutput', input: { status: 'success', summary: 'tried' } }] },
      { text: 'done' },
    ],
  });
  const tutti = project.open({ ...env, ...place.env });
  const { id } = await project.create(tutti, 'try', { agent: 'builder' });
  const waited = await waitForSession(tutti, id, 60_000);
  const read = (name: string): string =>
    existsSync(join(project.path, name)) ? readFileSync(join(project.path, name), 'utf8') : '';
  return {
    outcome: waited.ok ? waited.value.outcome : waited.error.message,
    log: project.file(id, 'output.log').slice(-2000),
    own: read('a.txt'),
    written: read('written.txt').split('\n').slice(0, -1),
    asked: server.prompts.length,
    conversations: existsSync(join(place.home, '.claude/projects')),
  };
}

test.each(sandboxModes)(
  'sandbox %s: real claude works in it, and can write no more than that',
  async (mode) => {
    const { log, ...seen } = await claudeIn(mode, [allowedHost]);
    // The control is again that without a sandbox nothing holds it.
    const all = mode === 'off' ? guarded.length + 1 : 0;
    expect(seen, log).toMatchObject({ outcome: 'SUCCESS', own: 'A', conversations: true });
    expect(seen.written).toHaveLength(all);
  },
);

test('sandbox strict: claude reaches no model that is not among the domains', async () => {
  const { log, ...seen } = await claudeIn('strict', [otherHost]);
  expect(seen, log).toMatchObject({ outcome: 'FAILURE', own: '', asked: 0 });
});
