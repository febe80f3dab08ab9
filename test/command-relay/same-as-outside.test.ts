import { expect, test } from 'vitest';
import { type Mode, needSandbox, RelayProject } from './project.ts';

/** Everything that an agent says in the three commands, and what is recorded of it. */
async function speak(mode: Mode) {
  await using project = new RelayProject(mode);
  await project.toExecuting();
  const files = project.code('T001');
  const work = files.map(
    ([path, text]) => `mkdir -p "$(dirname ${path})"; cat >${path} <<'END'\n${text}\nEND\n`,
  );
  const created = files.map(([path]) => path).join(' ');
  const id = await project.act(`say log log INFO chief decision "it's \\$HOME; a 'table'"
say start task start T001
${work.join('')}
say complete task complete T001 --created ${created}
say again task complete T001
say approve plan approve --json
say create session create worker task.md --driver idle --tag child
say wrong session create nobody task.md
`);
  const names = ['log', 'start', 'complete', 'again', 'approve', 'create', 'wrong'];
  const plain = (text: string): string => project.plain(text, id);
  const tutti = project.open();
  const [child] = await tutti.queries.sessions.list(
    { status: null, tags: ['child'], parent: null, archived: false },
    { limit: null, before: null },
  );
  const spec = child === undefined ? null : await tutti.queries.spec(child.runId, child.key);
  return {
    said: Object.fromEntries(
      names.map((name) => {
        const { out, err, code } = project.said(id, name);
        return [name, { out: plain(out), err: plain(err), code }];
      }),
    ),
    log: plain(project.read('activity.log')).split('\n'),
    task: (await tutti.queries.plans.task('shop', 'T001'))?.state.at,
    child: child === undefined ? null : { parentIsCaller: child.parent === id, depth: child.depth },
    requester: spec === null ? null : spec.handoff.requester === `session:${id}`,
    refused: (await tutti.queries.events(null, 0)).flatMap(({ event }) =>
      event.type === 'decision.refused'
        ? [{ ...event, by: plain(event.by), session: event.session === id }]
        : [],
    ),
  };
}

test.for(['workspace', 'strict'] as const)(
  'log, task complete and session create in sandbox %s print, end and record as outside',
  async (mode, context) => {
    needSandbox(context, mode);
    const outside = await speak('off');
    expect(outside.said).toMatchObject({
      log: { code: '0' },
      complete: { code: '0' },
      approve: { code: '3' },
      create: { code: '0', out: expect.stringContaining('Session created: OTHER') },
      wrong: { code: '64' },
    });
    expect(outside).toMatchObject({
      task: 'done',
      child: { parentIsCaller: true, depth: 2 },
      requester: true,
      refused: [{ decision: 'approve', by: 'session:SESSION', session: true }],
    });
    expect(await speak(mode)).toEqual(outside);
  },
);
