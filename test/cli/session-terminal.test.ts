import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { writeProject } from '../rig/program.ts';
import { SessionProject } from '../sessions/project.ts';
import { cli } from './rig.ts';

/** Writes what moves cursors and renames windows wherever an agent can write. */
const evil = String.raw`cat > /dev/null
printf '\033]0;owned\007\033[2J\033[31mred\n'
state="$TUTTI_SESSION_DIR/state.json"
printf '{"status":"failed","summary":"lost \\u001b[31mred\\u001b[0m\\u0007 \\u202egnorw\\nsecond line"}' > "$TUTTI_RESULT"
printf '{"session_id":"x","limits":{"disk\\u001b[5m":"by\\u0007me","cpu":"none","n":7}}' > "$state"
touch "$TUTTI_PROJECT/written"
while [ ! -e "$TUTTI_PROJECT/go" ]; do sleep 0.05; done
exit 3
`;

test('nothing that an agent writes reaches the terminal of who looks at it', async () => {
  await using project = new SessionProject({
    driver: 'evil',
    drivers: { evil: { type: 'command', command: ['sh', './evil.sh'] } },
  });
  writeProject(project.path, { 'evil.sh': evil, 'task.md': 'go\n' });
  const options = { folder: project.path, terminal: [100, 30] as const };
  const look = async (...args: readonly string[]) => {
    const { out, err } = await cli(options, 'session', ...args);
    expect((out + err).replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_C}/u);
    return out;
  };
  const id = /created: (\S+)/.exec(await look('create', 'worker', 'task.md'))?.[1] ?? '';
  await until('it has written everything', () => existsSync(join(project.path, 'written')));
  expect(await look('status', id)).toContain('Limits: disk by byme, cpu not held\n');
  expect(await look('list')).toContain(id);
  project.go('go');
  expect(await look('wait', id)).toMatch(/exit code 3: \S/);
  expect(await look('status', id)).toMatch(/\nWhy: [^\n]+\nExit code: 3\n/);
  writeFileSync(join(project.path, '.tutti', 'sessions', id, 'state.json'), '{');
  expect(await look('status', id)).not.toContain('Limits:');
});

test('a narrow terminal keeps the ids whole, colours are only of who wants them', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'wait go');
  const narrow = await cli({ folder: project.path, terminal: [40, 20] }, 'session', 'list');
  expect(narrow.out.split('\n').filter((line) => line.length > 40)).toEqual([]);
  expect(narrow.out).toContain(`\n${id}  `);
  const coloured = await cli({ folder: project.path, terminal: [100, 20], colour: true }, 'session', 'list');
  expect(coloured.out).toContain(`${id}  worker  \u001B[36mRUNNING\u001B[39m  `);
  const status = await cli({ folder: project.path, colour: true }, 'session', 'status', id);
  expect(status.out).toContain('\nStatus: \u001B[36mRUNNING\u001B[39m\n');
});
