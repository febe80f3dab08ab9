import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { snapshotAgents } from '../../src/app/agents/snapshot-agents.ts';
import { createSession } from '../../src/app/session-control/create.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import { writeProject } from '../rig/program.ts';
import { SessionProject } from './project.ts';

/** Stands in for bubblewrap: notes what it is to hold, and runs it without any sandbox. */
const working = `#!/bin/sh
here=$(dirname "$0")
while [ "$1" != -- ]; do shift; done; shift
echo "\${1##*/}" >> "$here/held"
exec "$@"
`;
const forbidden = '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n';
const why = 'bwrap does not work on this machine (bwrap: No permissions to create a new namespace)';

/** A CLI that reads its prompt and has nothing to say. */
const cli = '#!/bin/sh\ncat > /dev/null\n';

class AutoProject extends SessionProject {
  constructor(bwrap: string, config: object = {}) {
    const drivers = {
      claude: { type: 'claude', program: './cli' },
      codex: { type: 'codex', program: './cli' },
      mine: { type: 'command', command: ['./cli'] },
    };
    super({ drivers, ...config });
    const chief = '---\nallow: [code, sessions]\n---\nYou start sessions.\n';
    const reader = '---\ntools: Read, Grep\nmodel: gpt-6\n---\nYou read.\n';
    writeProject(this.path, {
      cli,
      'agents/chief.md': chief,
      'agents/reader.md': reader,
      'agents/scribe.md': '---\ntools: Read, Write, Edit\n---\nYou write.\n',
      'bin/bwrap': bwrap,
    });
    for (const name of ['cli', 'bin/bwrap']) chmodSync(join(this.path, name), 0o755);
  }

  openHere() {
    return this.open({ PATH: `${join(this.path, 'bin')}:${process.env['PATH'] ?? ''}` });
  }

  /** Which sandbox a session has, by its log and by the feed of its run. */
  async sandboxOf(agent: string, driver: string) {
    const tutti = this.openHere();
    const { id, runId } = await this.create(tutti, 'work', { agent, driver });
    await waitForSession(tutti, id, 20_000);
    const feed = (await tutti.queries.events(runId, 0)).map(({ event }) => event);
    return {
      log: /\[\w+\] sandbox.*/.exec(this.file(id, 'session.log'))?.[0],
      feed: feed.flatMap((event) => (event.type === 'session.sandbox' ? [event.message] : [])),
    };
  }

  /** What the sandbox was asked to hold, the trial aside. */
  get held(): readonly string[] {
    const path = join(this.path, 'bin/held');
    const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
    return lines.filter((line) => line !== 'true');
  }
}

test('where bwrap works, an agent CLI is sandboxed without any configuration, and its log says so', async () => {
  await using project = new AutoProject(working);
  expect(await project.sandboxOf('worker', 'claude')).toEqual({
    log: '[INFO] sandbox workspace',
    feed: ['sandbox workspace'],
  });
  expect(project.held).toEqual(['cli']);
});

test('where bwrap does not work, an agent CLI runs in its own sandbox or in none, and its log says why', async () => {
  await using project = new AutoProject(forbidden);
  expect(await project.sandboxOf('worker', 'codex')).toEqual({
    log: `[WARN] sandbox of the CLI itself: ${why}`,
    feed: [`sandbox of the CLI itself: ${why}`],
  });
  expect(await project.sandboxOf('worker', 'claude')).toEqual({
    log: `[WARN] sandbox off: ${why}`,
    feed: [`sandbox off: ${why}`],
  });
  expect(project.held).toEqual([]);
});

test('an agent that may start sessions is sandboxed like any other', async () => {
  await using project = new AutoProject(working);
  expect(await project.sandboxOf('chief', 'claude')).toEqual({
    log: '[INFO] sandbox workspace',
    feed: ['sandbox workspace'],
  });
  expect(project.held).toEqual(['cli']);
});

test('a program of the operator is sandboxed only where that is configured', async () => {
  await using project = new AutoProject(working);
  expect((await project.sandboxOf('worker', 'mine')).feed).toEqual([]);
  expect(project.held).toEqual([]);
  await using asked = new AutoProject(working, { sandbox: 'workspace' });
  expect((await asked.sandboxOf('worker', 'mine')).feed).toEqual(['sandbox workspace']);
  expect(asked.held).toEqual(['cli']);
});

test('a sandbox that was asked for and that the system forbids is refused before anything is created', async () => {
  await using project = new AutoProject(forbidden, { sandbox: 'workspace' });
  const tutti = project.openHere();
  expect(await createSession(tutti, project.request('work', { driver: 'claude' }))).toMatchObject({
    error: {
      outcome: 'UNAVAILABLE',
      message: expect.stringContaining(`sandbox: workspace is impossible: ${why}; use sandbox: auto`),
    },
  });
  expect(await tutti.queries.runs(null)).toEqual([]);
});

test('a program of the operator is sandboxed for an agent without Edit, Write and Bash', async () => {
  await using project = new AutoProject(working);
  const words = 'sandbox workspace: this agent has no tool that writes, so its workspace is read-only';
  expect(await project.sandboxOf('reader', 'mine')).toEqual({ log: `[INFO] ${words}`, feed: [words] });
  expect(project.held).toEqual(['cli']);
});

test.for([
  ['auto', why],
  ['off', 'tutti.yaml says sandbox: off'],
])(
  'with sandbox %s and no bwrap, a program for an agent that only reads is refused',
  async ([mode, because]) => {
    await using project = new AutoProject(forbidden, { sandbox: mode });
    const tutti = project.openHere();
    expect(
      await createSession(tutti, project.request('work', { agent: 'reader', driver: 'mine' })),
    ).toMatchObject({
      error: {
        outcome: 'UNAVAILABLE',
        message: `agent 'reader' cannot run: this agent has no tool that writes, and only a sandbox keeps a program of yours from writing: ${because}`,
        hint: 'see what holds agents: tutti help sandbox',
      },
    });
    expect(await tutti.queries.runs(null)).toEqual([]);
    // The control: an agent whose file names no tools runs there as before.
    expect((await project.sandboxOf('worker', 'mine')).feed).toEqual([]);
  },
);

const undeniable = (driver: string) =>
  `agent 'scribe' cannot run: its tools name Edit or Write but not Bash, and nothing can keep driver ${driver} from running commands: add Bash to the agent's tools, or use claude, gemini or opencode`;

test.for(['codex', 'mine', 'taped'])(
  'driver %s refuses an agent that writes and has no Bash before anything is created',
  async (driver) => {
    const drivers = {
      codex: { type: 'codex', program: './cli' },
      mine: { type: 'command', command: ['./cli'] },
      taped: { type: 'record', driver: 'codex', cassette: 'x.yaml' },
    };
    await using project = new AutoProject(working, { drivers, driver });
    const tutti = project.openHere();
    const refused = { outcome: 'UNAVAILABLE', message: undeniable(driver) };
    const request = project.request('work', { agent: 'scribe', driver });
    expect(await createSession(tutti, request)).toMatchObject({ error: refused });
    // Flows and plans take their agents by the same way.
    expect(snapshotAgents(tutti, ['scribe'], {})).toMatchObject({ error: refused });
    expect(snapshotAgents(tutti, ['reader', 'worker'], {}).ok).toBe(true);
    expect(await tutti.queries.runs(null)).toEqual([]);
  },
);

test('an agent that writes and has no Bash runs where the CLI can deny commands', async () => {
  await using project = new AutoProject(working);
  expect((await project.sandboxOf('scribe', 'claude')).log).toBe('[INFO] sandbox workspace');
});

test('a model of another vendor is reported in the log of the session and once in its run', async () => {
  await using project = new AutoProject(working);
  const tutti = project.openHere();
  const said = async (agent: string) => {
    const { id, runId } = await project.create(tutti, 'work', { agent, driver: 'claude' });
    await waitForSession(tutti, id, 20_000);
    const feed = (await tutti.queries.events(runId, 0)).map(({ event }) => event);
    return {
      log: project.file(id, 'session.log').includes('names the model gpt-6'),
      feed: feed.flatMap((event) => (event.type === 'session.model' ? [event.message] : [])),
    };
  };
  const words = 'agent reader names the model gpt-6, which claude does not have: using sonnet (tier medium)';
  expect(await said('reader')).toEqual({ log: true, feed: [words] });
  expect(await said('worker')).toEqual({ log: false, feed: [] });
});
