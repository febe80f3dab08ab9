import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionView } from '../../src/app/sessions/status.ts';
import { statusLines } from '../../src/cli/render/session-status.ts';
import { painter } from '../../src/cli/render/style.ts';
import { sessionStatusForm } from '../../src/model/schemas/session-output.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { writeProject } from '../rig/program.ts';
import { SessionProject } from './project.ts';

const slow = { timeout: 300_000 };

/** Stands in for codex: names its conversation, notes its arguments and what it was told, and does as it is told. */
const codex = `#!/bin/sh
prompt=$(cat)
echo "$* <- $prompt" >> "$TUTTI_PROJECT/ledger"
case $prompt in *nameless*) ;; *) echo '{"type":"thread.started","thread_id":"thread-'"$TUTTI_SESSION_ID"'"}' ;; esac
case $prompt in *"wait go"*) while [ ! -e "$TUTTI_PROJECT/go" ]; do sleep 0.05; done ;; esac
echo '{"type":"item.completed","item":{"type":"agent_message","text":"done"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;

function conversing(): SessionProject {
  const project = new SessionProject({
    driver: 'codex',
    // Its stand-in notes what it did in the project, where a sandboxed agent may not write.
    sandbox: 'off',
    drivers: {
      codex: { type: 'codex', program: './codex.sh' },
      mine: { type: 'command', command: ['sh', './agent.sh'] },
    },
  });
  writeProject(project.path, { 'codex.sh': codex, 'task.md': 'first' });
  chmodSync(join(project.path, 'codex.sh'), 0o755);
  return project;
}

const idOf = ({ out }: CliEnd): string => /Session created: (\S+)/.exec(out)?.[1] ?? '';

test(
  'a conversation is shown with the command that resumes it, and continues in a new session',
  slow,
  async () => {
    await using project = conversing();
    const type = (...words: readonly string[]) => cli({ folder: project.path, stdin: '' }, ...words);
    const first = idOf(await type('session', 'create', 'worker', 'task.md'));
    expect((await type('session', 'wait', 'last')).code).toBe(0);
    const status = await type('session', 'status', first);
    expect(status.out).toContain(
      `Conversation: thread-${first}\nResume: ./codex.sh resume thread-${first}\n`,
    );
    const elsewhere = await cli({ folder: join(project.path, 'agents') }, 'session', 'status', first);
    expect(elsewhere.out).toContain(`Resume: cd ${project.path} && ./codex.sh resume thread-${first}\n`);
    const json: unknown = JSON.parse((await type('session', 'status', first, '--json')).out);
    expect(sessionStatusForm.parse(json)).toMatchObject({
      conversation: `thread-${first}`,
      resume_command: ['./codex.sh', 'resume', `thread-${first}`],
      no_retry: null,
    });
    const workspace = join(project.path, 'gone');
    const paint = painter(false);
    const params = { tmuxActive: false, reason: null, limits: {}, from: project.path, paint };
    using tutti = project.open();
    const session = await tutti.queries.sessions.one(first);
    if (session === null) throw new Error('there is no session');
    const view = await sessionView(tutti, session);
    const spec = view.spec === null ? null : { ...view.spec, workspace };
    expect(statusLines({ ...view, spec }, params)).toContain(
      `Resume: not possible: the directory of its conversation, ${workspace}, is gone`,
    );

    const second = idOf(await type('session', 'continue', 'last', 'Now the tests.'));
    expect(second).not.toBe(first);
    expect((await type('session', 'wait', second)).code).toBe(0);
    const ledger = readFileSync(join(project.path, 'ledger'), 'utf8').trim().split('\n');
    // Control: the first turn forked nothing.
    expect(ledger.filter((line) => line.includes('fork'))).toEqual([
      expect.stringMatching(new RegExp(`fork thread-${first} - <- Now the tests\\.$`)),
    ]);
    expect((await type('session', 'status', second)).out).toContain(`Continues: ${first}\n`);
  },
);

test('a session is not continued while it works, nor where its conversation cannot be', slow, async () => {
  await using project = conversing();
  const type = (...words: readonly string[]) => cli({ folder: project.path, stdin: '' }, ...words);
  const create = async (prompt: string, ...flags: readonly string[]): Promise<string> => {
    writeProject(project.path, { 'task.md': prompt });
    return idOf(await type('session', 'create', 'worker', 'task.md', ...flags));
  };
  const busy = await create('wait go');
  expect(await type('session', 'continue', busy, 'more')).toMatchObject({
    code: 64,
    err: `tutti: session ${busy} has not ended yet\n  → wait for it: tutti session wait ${busy}\n`,
  });
  project.go('go');
  await type('session', 'wait', busy);
  expect(await type('session', 'continue', busy, ' ')).toMatchObject({ code: 64 });
  const nameless = await create('nameless');
  await type('session', 'wait', nameless);
  expect((await type('session', 'continue', nameless, 'more')).err).toContain(
    `session ${nameless} ended before its CLI named a conversation`,
  );
  const shell = await create('fine', '--driver', 'mine');
  await type('session', 'wait', shell);
  expect(await type('session', 'continue', shell, 'more')).toMatchObject({
    code: 69,
    err: expect.stringContaining('driver mine cannot continue a conversation'),
  });
  expect((await type('session', 'status', shell)).out).not.toMatch(/Conversation:|Resume:/);
});

test('a session is named by its id, by a beginning that no other has, or as last', slow, async () => {
  await using project = new SessionProject();
  writeProject(project.path, { 'task.md': 'fine', 'agents/other.md': '---\nallow: []\n---\nYou work.\n' });
  const type = (words: string) => cli({ folder: project.path, stdin: '' }, ...words.split(' '));
  expect(await type('session status last')).toMatchObject({
    code: 64,
    err: expect.stringContaining('Session not found: last'),
  });
  const first = idOf(await type('session create worker task.md'));
  await type('session wait last');
  const second = idOf(await type('session create other task.md'));
  expect((await type(`session wait ${second.slice(0, -1)}`)).out).toContain(second);
  expect((await type('session status last')).out).toContain(`Session: ${second}\n`);
  expect((await type(`session status ${first.slice(0, -2)}`)).out).toContain(`Session: ${first}\n`);
  const both = await type(`session status ${first.slice(0, 8)}`);
  expect(both).toMatchObject({ code: 64, out: '' });
  expect(both.err).toContain(`Several sessions begin with ${first.slice(0, 8)}: `);
  for (const id of [first, second]) expect(both.err).toContain(id);
  expect((await type('session logs last --session-log')).out).toContain('COMPLETED');
  expect((await type('session kill last --force')).out).toBe(
    'Session already terminated (status: COMPLETED)\n',
  );
  const listed = await type('session list');
  expect(listed.out).toMatch(/^SESSION ID +AGENT +STATUS +STARTED +ELAPSED +OUTCOME +RUN +TASK\n/);
  expect(listed.out).toMatch(new RegExp(`^${second} +other +COMPLETED .* SUCCESS +- +-$`, 'm'));
});

test('a session that failed says why it was not tried again', slow, async () => {
  await using project = new SessionProject();
  const type = (words: string) => cli({ folder: project.path, stdin: '' }, ...words.split(' '));
  const tried = async (prompt: string, retry: number): Promise<string> => {
    writeProject(project.path, { 'task.md': prompt });
    const id = idOf(await type(`session create worker task.md --retry ${retry}`));
    const waited = await type(`session wait ${id}`);
    const status = await type('session status last');
    const why = /; no retry: (.*)\n/.exec(waited.out)?.[1] ?? '';
    expect(status.out).toContain(`No retry: ${why}\n`);
    return why;
  };
  expect(await tried('fail', 3)).toBe('the same failure came twice, and nothing had changed');
  expect(await tried('fail', 1)).toBe('the one retry was made');
  writeProject(project.path, { 'task.md': 'fail' });
  await type('session create worker task.md');
  // Control: where no retry was asked for, there is nothing to explain.
  expect((await type('session wait last')).out).not.toContain('no retry');
});
