import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeRows } from '../rig/change-rows.ts';
import {
  sessionArchiveForm,
  sessionAuditForm,
  sessionPruneForm,
  sessionWatchdogForm,
} from '../../src/model/schemas/session-order-output.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { finished } from '../sessions/finished.ts';
import { SessionProject } from '../sessions/project.ts';
import { startOnly, undriven } from '../sessions/undriven.ts';
import { cli, type CliOptions } from './rig.ts';

const day = 86_400_000;

function typing(project: SessionProject) {
  return (words: string) => cli({ folder: project.path, stdin: '' }, ...words.split(' '));
}

test('archive: one, several, and what stays says why', async () => {
  await using project = new SessionProject({ max_sessions: 20 });
  await using alone = await undriven(project);
  const { tutti } = alone;
  const type = typing(project);
  const one = await finished(project, tutti);
  expect(await type(`session archive ${one.id}`)).toEqual({
    out: `Session archived: ${one.id}\n  → its files: .tutti/archive/sessions/${one.id}/\n`,
    err: '',
    code: 0,
  });
  expect(await type(`session archive ${one.id}`)).toEqual({
    out: '',
    err: `tutti: session ${one.id} is archived already\n  → look at it: tutti session status ${one.id}\n`,
    code: 1,
  });
  const failed = await finished(project, tutti, { status: 'FAILED', endedMs: 2 * day });
  const young = await finished(project, tutti);
  const blocked = await finished(project, tutti, { endedMs: 2 * day, request: { tags: ['x'] } });
  mkdirSync(tutti.paths.archived(blocked.id));
  expect(await type('session archive --older-than 24h --status failed')).toMatchObject({
    out: '1 session archived\n',
    code: 0,
  });
  const live = await startOnly(project, tutti);
  const rest = await type('session archive --all --json');
  expect(rest).toMatchObject({ err: '', code: 12 });
  expect(sessionArchiveForm.parse(JSON.parse(rest.out))).toEqual({
    archived: [young.id],
    refused: expect.arrayContaining([
      { session_id: live, why: 'has not ended (status: CREATED)' },
      { session_id: blocked.id, why: expect.stringContaining('which is there already') },
    ]),
  });
  const again = await type('session archive --all');
  expect(again.out).toContain('0 sessions archived, 2 not\n');
  expect(again.code).toBe(12);
  expect(await type('session archive --all --tag none')).toMatchObject({
    out: '0 sessions archived\n',
    code: 0,
  });
  expect(existsSync(tutti.paths.archived(failed.id))).toBe(true);
});

test.each([
  ['session archive', 'ID is missing; to archive all that is over, add --all'],
  ['session archive x --all', 'either a session or filters, not both'],
  ['session archive nobody', 'Session not found: nobody'],
  ['session archive --status DONE', 'Invalid status filter: DONE'],
  ['session archive --older-than soon', "must be a duration such as 90s, 10m or 1h30m, not 'soon'"],
  ['session prune --older-than -1', 'must be a duration'],
  ['session watchdog --once --every 5s', 'either --once or --every, not both'],
  ['session audit --event party', 'must be one of create, transition, kill'],
  ['session audit --session nobody', 'Session not found: nobody'],
])('%s is refused: %s', async (words, sentence) => {
  await using project = new SessionProject();
  project.open();
  const end = await typing(project)(words);
  expect(end).toMatchObject({ out: '', code: 64 });
  expect(end.err).toContain(sentence);
});

test('prune: says what would go, what goes and what stays', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const type = typing(project);
  const old = await finished(project, tutti, { endedMs: 31 * day });
  await type('session archive --all');
  const stay = 'those that ended within the last 30 days stay';
  expect((await type('session prune --dry-run')).out).toBe(
    `session ${old.id} would be removed\n1 session to prune; ${stay}\n`,
  );
  expect((await type('session prune --older-than 60d')).out).toBe(
    '0 sessions pruned; those that ended within the last 60 days stay\n',
  );
  const pruned = await type('session prune --older-than 1d --json');
  expect(sessionPruneForm.parse(JSON.parse(pruned.out))).toEqual({
    dry_run: false,
    keep_seconds: 30 * 86_400,
    pruned: [old.id],
    refused: [],
  });
  expect((await type('session prune --older-than 1d')).out).toBe(
    `0 sessions pruned; ${stay}\n--older-than can only lengthen what tutti.yaml keeps: archive_keep\n`,
  );
});

test('watchdog: code 0 whether something was wrong or not, and a sentence for each deed', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  const type = typing(project);
  expect(await type('session watchdog')).toEqual({
    out: 'looked at 0 live sessions: all is well\n',
    err: '',
    code: 0,
  });
  const id = await startOnly(project, tutti);
  changeRows(tutti, 'update sessions set created_at = created_at - 720000');
  mkdirSync(join(tutti.paths.state, 'sessions', 'stray'), { recursive: true });
  const acted = await type('session watchdog --once --json');
  expect(acted).toMatchObject({ err: '', code: 0 });
  expect(sessionWatchdogForm.parse(JSON.parse(acted.out))).toMatchObject({
    sessions: 1,
    actions: [
      { session_id: id, action: 'warned' },
      { session_id: id, action: 'gave-up' },
    ],
    leftovers: { folders: ['stray'], missing: [] },
  });
  expect((await type('session watchdog')).out).toBe(
    'left over: .tutti/sessions/stray belongs to no session\nlooked at 0 live sessions\n',
  );
});

test('watchdog --every looks until it is stopped, and says only what it did', async () => {
  await using project = new SessionProject();
  await using alone = await undriven(project);
  const { tutti } = alone;
  let id = '';
  let asked = false;
  const onOutput: CliOptions['onOutput'] = (all, control) => {
    if (!asked) {
      asked = true;
      void startOnly(project, tutti).then((started) => {
        id = started;
        changeRows(tutti, 'update sessions set created_at = created_at - 720000');
      });
    } else if (all.includes('given up')) control.signal('SIGINT');
  };
  const end = await cli({ folder: project.path, onOutput }, 'session', 'watchdog', '--every', '50ms');
  expect(end.code).toBe(0);
  expect(end.out.split('\n')).toEqual([
    'looked at 0 live sessions: all is well',
    expect.stringMatching(/: warned: it was created 12m \d\ds ago and never started$/),
    expect.stringMatching(new RegExp(`^session ${id}: given up: `)),
    'looked at 1 live session',
    '',
  ]);
});

test('audit: what happened to sessions, by kind, session and time; the log says the same', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const type = typing(project);
  const one = await finished(project, tutti);
  const other = await finished(project, tutti);
  await type(`session archive ${one.id}`);
  const reason = 'slow\nand "quoted"';
  await tutti.store.note(null, { type: 'session.killed', session: other.id, reason, by: 'user:ada' });
  changeRows(tutti, `update events set at = at - ${2 * day} where type = 'session.created'`);
  const all = await type('session audit');
  // The log is kept by commands that do something.
  await tutti.audit.write();
  const log = readFileSync(join(tutti.paths.logs, 'orchestrator.log'), 'utf8');
  const unstamped = (text: string) => text.replaceAll(/^\[[^\]]+\] /gm, '');
  expect(unstamped(all.out)).toBe(unstamped(log));
  expect(all.out).toContain(`[INFO] Session ${one.id} archived\n`);
  expect((await type('session audit --since 1d')).out).not.toContain('Session created');
  const kills = await type('session audit --event kill --json');
  expect(sessionAuditForm.parse(JSON.parse(kills.out))).toMatchObject({
    event: 'kill',
    session_id: other.id,
    level: 'WARN',
    message: `Session ${other.id} killed by user:ada: slow and "quoted"`,
    reason,
    by: 'user:ada',
    run_id: null,
  });
  const ofOne = await type(`session audit --session ${one.id} --json`);
  const lines = ofOne.out
    .trimEnd()
    .split('\n')
    .map((line) => sessionAuditForm.parse(JSON.parse(line)));
  expect(lines.map(({ event }) => event)).toEqual(['create', 'transition', 'archive']);
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map(({ seq }) => seq).toSorted((a, b) => a - b));
  expect((await type('session audit --event prune')).out).toBe('Nothing was recorded about sessions\n');
});

test('where there is no project there is nothing to keep in order, and nothing is made', async () => {
  using folder = tempFolder();
  const type = (words: string) => cli({ folder: folder.path }, ...words.split(' '));
  expect(await type('session archive --all')).toMatchObject({ out: 'No session to archive\n', code: 0 });
  expect(await type('session prune')).toMatchObject({ out: 'No session to prune\n', code: 0 });
  expect(await type('session watchdog')).toMatchObject({ out: 'No sessions found\n', code: 0 });
  expect(await type('session audit')).toMatchObject({ code: 0 });
  const forms = [
    ['archive --all', sessionArchiveForm],
    ['prune', sessionPruneForm],
    ['watchdog', sessionWatchdogForm],
  ] as const;
  for (const [words, form] of forms) form.parse(JSON.parse((await type(`session ${words} --json`)).out));
  expect(existsSync(join(folder.path, '.tutti'))).toBe(false);
});

test('a session that an agent kills without a reason was not killed by a person', async () => {
  await using project = new SessionProject({ max_sessions: 20 });
  await using alone = await undriven(project);
  const agent = await finished(project, alone.tutti);
  const live = await startOnly(project, alone.tutti);
  const env = { TUTTI_SESSION_ID: agent.id };
  const words = ['session', 'kill', live, '--force'];
  expect(await cli({ folder: project.path, stdin: '', env }, ...words)).toMatchObject({ code: 0 });
  const { out } = await typing(project)(`session status ${live}`);
  expect(out).toContain(`Why: killed by session:${agent.id}: an agent asked for it\n`);
});
