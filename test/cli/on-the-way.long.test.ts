import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli } from './rig.ts';

const flow = {
  name: 'gated',
  steps: [{ id: 'a', agent: 'coder', prompt: 'Write a.txt', gates: [{ file: 'a.txt' }] }],
};

const result = { status: 'success', summary: 'done' };

/** Claims success at once; the file is there after the healing turn. */
const claims = {
  match: { step: 'a', turn: 1 },
  events: [{ retrying: 'the model answered 529' }, { denied: { tool: 'Bash', reason: 'no' } }],
  result,
};
const writes = { match: { step: 'a/heal-1' }, files: { 'a.txt': 'x' }, result };

function project(turns: readonly object[]) {
  const folder = tempFolder();
  const path = realpathSync(folder.path);
  writeProject(path, { 'flow.yaml': flow, 'cassette.yaml': { turns } });
  return { path, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('in a pipe every setback has a line, and only judged work is done', { timeout: 300_000 }, async () => {
  using place = project([claims, writes]);
  const { out, err, code } = await cli(
    { folder: place.path, stdin: '' },
    'run',
    'flow.yaml',
    '--run-id',
    'r',
  );
  expect(code, err).toBe(0);
  // Whether the retry is also seen while it happens depends on when the log is read.
  const lines = out
    .split('\n')
    .filter((line) => !line.startsWith('◐ a: its CLI tries again'))
    .map((line) => line.replace(/ \(session .*\)$/, ''));
  expect(lines.slice(0, -3)).toEqual([
    '● run started (flow)',
    '● a started',
    '● a ended its turn',
    '◐ a: its CLI asked the model again once by itself',
    '◐ a: not permitted: Bash',
    expect.stringMatching(/^✕ a\/gate-1 FAILURE: .*a\.txt/),
    '● a/heal-1 started',
    '● a/heal-1 ended its turn',
    '✔ a/gate-1 done',
    '✔ a done',
  ]);
  const events = await cli({ folder: place.path }, 'events', 'r');
  expect(events.out).toContain('◐ a: not permitted: Bash');
  const report = await cli({ folder: place.path }, 'report', 'r', '--json');
  expect(JSON.parse(report.out)).toMatchObject({
    incidents: [
      { step: 'a', text: 'its CLI asked the model again once by itself' },
      { step: 'a', text: 'not permitted: Bash' },
      { step: 'a/heal-1', text: expect.stringMatching(/^tried again because: .*a\.txt/) as string },
    ],
  });
});

test('a denied path outside the workspace is named, with where the agent may write', {
  timeout: 300_000,
}, async () => {
  const outside = {
    match: { step: 'a', turn: 1 },
    events: [
      { tool: { name: 'Write', target: '/etc/hosts' } },
      { denied: { tool: 'Write', target: '/etc/hosts', reason: 'no', call: true } },
    ],
    exit: 1,
  };
  using place = project([outside, { ...outside, match: { step: 'a/heal-1' } }]);
  const { out } = await cli({ folder: place.path, stdin: '' }, 'run', 'flow.yaml', '--run-id', 'r');
  expect(out).toContain('◐ a: not permitted: Write /etc/hosts\n');
  const advice = `not permitted to use Write /etc/hosts: it may write only below ${place.path}; have its prompt name a path there, or give a session the directory: tutti session create --add-dir /etc`;
  expect(out).toContain(advice);
  const { out: shown } = await cli({ folder: place.path }, 'status', 'r');
  expect(shown).toContain(advice);
  const session = /tutti logs (\S+)/.exec(shown)?.[1] ?? '';
  const logs = await cli({ folder: place.path }, 'logs', session);
  expect(logs.out).toContain('✕ not permitted: Write /etc/hosts: no\n');
  const json = await cli({ folder: place.path }, 'logs', session, '--json');
  expect(json.out).toContain('"tool":"Write","target":"/etc/hosts","reason":"no"');
});

test('a terminal keeps the setbacks above the steps', { timeout: 300_000 }, async () => {
  using place = project([claims, writes]);
  const { out } = await cli({ folder: place.path, terminal: [100, 30] }, 'run', 'flow.yaml');
  expect(out).toContain('◐ a: not permitted: Bash\n');
  expect(out).toMatch(/◐ a\/heal-1: tried again because: .*a\.txt.*\n/);
});

test('a usage limit has a line with its end', { timeout: 300_000 }, async () => {
  const limited = { match: { step: 'a', turn: 1 }, limit: { reset_in: '1s' } };
  const resumed = { match: { step: 'a/resume-1' }, files: { 'a.txt': 'x' }, result };
  using place = project([limited, resumed]);
  const { out, err, code } = await cli({ folder: place.path, stdin: '' }, 'run', 'flow.yaml');
  expect(code, err).toBe(0);
  expect(out).toMatch(/◐ a: usage limit until (?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC\n/);
  expect(out).not.toContain('✕');
});

test('a turn that asks a question has not failed', {
  timeout: 300_000,
}, async () => {
  const asks = { status: 'blocked', summary: '', questions: ['Which colour?'] };
  using place = project([{ match: { step: 'a' }, result: asks }]);
  const { out, code } = await cli({ folder: place.path, stdin: '' }, 'run', 'flow.yaml');
  expect(code).toBe(3);
  expect(out).toContain('◐ a ended its turn with a question\n');
  expect(out).toMatch(/◐ \S+ from a\S*: Which colour\?/);
  expect(out).not.toContain('✕');
});

test('a question that is repeated after two answers is not said to wait for another one', {
  timeout: 300_000,
}, async () => {
  const asks = { status: 'blocked', summary: '', questions: ['Which colour?'] };
  using place = project([{ match: {}, result: asks }]);
  const at = { folder: place.path, stdin: '' };
  await cli(at, 'run', 'flow.yaml', '--run-id', 'r');
  for (const id of ['Q1', 'Q2']) {
    expect((await cli(at, 'answer', id, 'red')).code).toBe(0);
    await cli(at, 'resume', 'r');
  }
  const { out } = await cli(at, 'events', 'r');
  const lines = out.split('\n').map((line) => line.slice(line.search(/[●◐✔✕○]/)));
  expect(lines.filter((line) => line.includes('waits for'))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('◐ Q'))).toHaveLength(2);
  expect(lines).toContain('◐ a/answer-2 ended its turn with a question');
  expect(lines.filter((line) => line.startsWith('✕')).join('\n')).toContain('asked the same question again');
});

test('a CLI that asks its model again is told while it does', { timeout: 300_000 }, async () => {
  using place = project([
    { match: { step: 'a' }, events: [{ retrying: 'the model answered 529; attempt 2 of 10' }], hang: true },
  ]);
  let stopped = false;
  const { out, code } = await cli(
    {
      folder: place.path,
      stdin: '',
      onOutput: (all, control) => {
        if (stopped || !all.includes('its CLI tries again')) return;
        stopped = true;
        control.signal('SIGTERM');
        control.signal('SIGTERM');
      },
    },
    'run',
    'flow.yaml',
  );
  expect(out).toContain('◐ a: its CLI tries again: the model answered 529; attempt 2 of 10\n');
  expect(code).toBe(20);
});

test('a failure is told once, and whole', { timeout: 300_000 }, async () => {
  const why = `it broke ${'x'.repeat(150)}`;
  using place = project([{ match: {}, result: { status: 'needs_escalation', summary: why } }]);
  const { out } = await cli({ folder: place.path, stdin: '' }, 'run', 'flow.yaml');
  expect(out.split(why)).toHaveLength(2);
  expect(out).toContain('✕ a was not accepted\n');
});
