import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { logLines } from '../../src/app/host/log-file.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { driverOf } from '../../src/drivers/registry.ts';
import type { DriverEvent } from '../../src/model/driver.ts';
import { cassetteForm } from '../../src/model/schemas/cassette.ts';
import { readForm } from '../../src/model/schemas/yaml-document.ts';
import { isTerminal } from '../../src/model/session.ts';
import { until } from '../rig/attempt-rig.ts';
import { SessionProject } from '../sessions/project.ts';

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

async function turn(rig: SessionProject, tutti: Tutti, prompt: string, driver: string) {
  rmSync(join(rig.path, 'work'), { recursive: true });
  mkdirSync(join(rig.path, 'work'));
  writeFileSync(join(rig.path, 'work/old.txt'), 'old');
  writeFileSync(join(rig.path, 'work/kept.txt'), 'kept');
  const { id } = await rig.create(tutti, prompt, { driver, cwd: join(rig.path, 'work') });
  await until(`${id} is over`, () => isTerminal(tutti.queries.sessions.one(id)?.status ?? 'CREATED'));
  const found = driverOf(driver, tutti.config, { projectDir: rig.path, searchPath: '' });
  if (!found.ok) throw new Error(found.error.message);
  const reader = found.value.reader();
  const events: DriverEvent[] = [...logLines(join(rig.path, '.tutti/sessions', id, 'output.log'))].flatMap(
    (line) => [...reader.line(line)],
  );
  const { status, exitCode, outcome, usage } = tutti.queries.sessions.one(id) ?? {};
  const plain = (text: string): string => text.replaceAll(id, 'ID');
  const files = ['old.txt', 'kept.txt', 'made/new.txt', 'raw.bin'].map((path) => {
    try {
      return plain(readFileSync(join(rig.path, 'work', path), 'latin1'));
    } catch {
      return null;
    }
  });
  const state = rig.state(id);
  return {
    id,
    seen: JSON.parse(
      plain(JSON.stringify({ status, exitCode, outcome, usage, files, events, told: state['outcome'] })),
    ) as { readonly files: unknown; readonly outcome: string },
  };
}

function turnsOf(rig: SessionProject) {
  const form = readForm(cassetteForm, readFileSync(join(rig.path, 'tapes/x.yaml'), 'utf8'), 'x.yaml');
  if (!form.ok) throw new Error(JSON.stringify(form.error));
  return form.value.turns;
}

test('what was recorded is played to the same end: outcome, files, events, whatever the end was', async () => {
  await using rig = project();
  const tutti = rig.open();
  const prompts = ['work', 'work', 'fail', 'crash', 'torn', 'silent'];
  const first = [];
  for (const prompt of prompts) first.push(await turn(rig, tutti, prompt, 'taped'));
  expect(turnsOf(rig).map(({ recorded, match }) => [recorded?.session, match?.nth])).toEqual(
    first.map(({ id }, at) => [id, at === 1 ? 2 : 1]),
  );
  expect(first[0]?.seen.files).toEqual([null, 'kept', 'from ID\n', 'a\0b']);
  // Twice: after the last answer to a question comes the first again.
  for (const round of [1, 2]) {
    const second = [];
    for (const prompt of prompts) second.push(await turn(rig, tutti, prompt, 'again'));
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

test('a turn that cannot be kept counts all the same, and its session says why', async () => {
  await using rig = project();
  const tutti = rig.open();
  mkdirSync(join(rig.path, 'tapes'));
  writeFileSync(join(rig.path, 'tapes/x.yaml'), 'turns: [{mach: 1}]');
  const { id, seen } = await turn(rig, tutti, 'work', 'taped');
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
    error: { message: 'there is no driver "rael"; did you mean real?' },
  });
});
