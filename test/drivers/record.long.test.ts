import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import { driverOf } from '../../src/drivers/registry.ts';
import { isAlive } from '../../src/lib/process/identity.ts';
import { until } from '../rig/attempt-rig.ts';
import { SessionProject } from '../sessions/project.ts';
import { tapedTurn, tapedTurns } from './taped-turn.ts';

/** An agent that does what its prompt says to the files of its workspace, and says how often it was there. */
const busy = `prompt=$(cat)
task=\${prompt##*'**TASK DELEGATION**:'}
echo x >> "$TUTTI_PROJECT/count"
echo "call $(wc -l < "$TUTTI_PROJECT/count") in $TUTTI_WORKSPACE of {STEP}"
cd "$TUTTI_WORKSPACE"
case $task in
  *work*) mkdir -p made; echo "from $TUTTI_SESSION_ID" > made/new.txt; printf 'a\\000b' > raw.bin; chmod +x raw.bin; rm -f old.txt ;;
  *fail*) echo "no luck"; exit 3 ;;
  *crash*) kill -KILL $$ ;;
  *torn*) printf '{"status"' > "$TUTTI_RESULT"; exit 0 ;;
  *silent*) exit 0 ;;
  *talk*) echo 'only words'; exit 0 ;;
esac
echo '{"status":"success","summary":"done in '"$TUTTI_WORKSPACE"'"}' > "$TUTTI_RESULT"
`;

function project(): SessionProject {
  const drivers = {
    busy: { type: 'command', command: ['sh', '../busy.sh'] },
    taped: { type: 'record', driver: 'busy', cassette: 'tapes/x.yaml' },
    again: { type: 'replay', cassette: 'tapes/x.yaml' },
  };
  const made = new SessionProject({ driver: 'taped', drivers });
  writeFileSync(join(made.path, 'busy.sh'), busy);
  mkdirSync(join(made.path, 'work'));
  return made;
}

test('what was recorded is played to the same end: outcome, files, events, whatever the end was', async () => {
  await using rig = project();
  const tutti = rig.open();
  const prompts = ['work', 'work', 'fail', 'crash', 'torn', 'silent'];
  const first = [];
  for (const prompt of prompts) first.push(await tapedTurn(rig, tutti, prompt, { driver: 'taped' }));
  expect(tapedTurns(rig).map(({ recorded, match }) => [recorded?.session, match?.nth])).toEqual(
    first.map(({ id }, at) => [id, at === 1 ? 2 : 1]),
  );
  expect(first[0]?.seen.files.map(([name, , content]) => [name, content])).toEqual([
    ['kept.txt', 'kept'],
    ['made/new.txt', 'from ID\n'],
    ['raw.bin', 'a\0b'],
  ]);
  // Twice: after the last answer to a question comes the first again.
  for (const round of [1, 2]) {
    const second = [];
    for (const prompt of prompts) second.push(await tapedTurn(rig, tutti, prompt, { driver: 'again' }));
    expect({ round, seen: second.map(({ seen }) => seen) }).toEqual({
      round,
      seen: first.map(({ seen }) => seen),
    });
  }
  expect(first.map(({ seen }) => seen.outcome)).toEqual([
    'SUCCESS',
    'SUCCESS',
    'FAILURE',
    'FAILURE',
    'FAILURE',
    'FAILURE',
  ]);
  expect(readFileSync(join(rig.path, 'count'), 'utf8')).toBe('x\n'.repeat(6));
}, 60_000);

test('words of an agent that tells no tools are as good when they are played', async () => {
  await using rig = project();
  const tutti = rig.open();
  const first = await tapedTurn(rig, tutti, 'talk', { driver: 'taped', result: 'optional' });
  const second = await tapedTurn(rig, tutti, 'talk', { driver: 'again', result: 'optional' });
  expect(first.seen).toMatchObject({ outcome: 'SUCCESS', result: null });
  expect(second.seen).toEqual(first.seen);
});

test('a turn whose conductor was killed is recorded by the next one, once and with its files', async () => {
  await using rig = new SessionProject({
    drivers: {
      mine: { type: 'command', command: ['sh', './agent.sh'] },
      taped: { type: 'record', driver: 'mine', cassette: 'tapes/x.yaml' },
    },
  });
  const tutti = rig.open();
  const ids = [1, 2, 3].map(() => rig.createApart('wait go', { driver: 'taped' }));
  await until('all work', () => rig.ledger().length === 3);
  const conductor = await tutti.queries.conductor();
  if (conductor === null) throw new Error('there is no conductor');
  process.kill(conductor.pid, 'SIGKILL');
  await until('it is gone', () => !isAlive(conductor));
  expect(existsSync(join(rig.path, 'tapes'))).toBe(false);
  rig.go('go');
  for (const id of ids) {
    expect(await waitForSession(tutti, id, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
  }
  const turns = tapedTurns(rig);
  expect(turns).toHaveLength(3);
  expect(new Set(turns.map(({ recorded }) => recorded?.session))).toEqual(new Set(ids));
  expect(turns.map(({ match }) => match?.nth)).toEqual([1, 2, 3]);
  for (const { files } of turns) expect(Object.keys(files ?? {})).toContain('ledger');
});

test('a turn that cannot be kept counts all the same, and its session says why', async () => {
  await using rig = project();
  const tutti = rig.open();
  mkdirSync(join(rig.path, 'tapes'));
  writeFileSync(join(rig.path, 'tapes/x.yaml'), 'turns: [{mach: 1}]');
  const { id, seen } = await tapedTurn(rig, tutti, 'work', { driver: 'taped' });
  expect(seen.outcome).toBe('SUCCESS');
  expect(rig.file(id, 'session.log')).toContain('[WARN] The turn was not kept: ');
});

test('a recorder of a recorder is refused, and one of nobody is told its nearest name', async () => {
  const drivers = {
    real: { type: 'replay', cassette: '/c' },
    one: { type: 'record', driver: 'two', cassette: '/c' },
    two: { type: 'record', driver: 'one', cassette: '/c' },
    lost: { type: 'record', driver: 'rael', cassette: '/c' },
  } as const;
  const paths = { projectDir: '/p', searchPath: '' };
  expect(driverOf('one', { drivers }, paths)).toMatchObject({
    error: { message: expect.stringContaining('records two, which is a recorder itself') },
  });
  expect(driverOf('lost', { drivers }, paths)).toMatchObject({
    error: { message: `there is no driver "rael"; did you mean 'real'?` },
  });
});
