import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineCutter, type LogLine } from '../../src/app/host/line-cutter.ts';
import { eventsOf, renderer, type RenderedLine } from '../../src/app/sessions/render-log.ts';
import { BottomArea } from '../../src/cli/attach/bottom-area.ts';
import { emptyLine, press, shownLine } from '../../src/cli/attach/input-line.ts';
import { statusLine } from '../../src/cli/attach/status-line.ts';
import { jsonLine } from '../../src/cli/print.ts';
import { sessionEventJson, sessionLine, sessionLogLine } from '../../src/cli/render/session-line.ts';
import { painter } from '../../src/cli/render/style.ts';
import { oneLine } from '../../src/lib/terminal-text.ts';
import type { DriverEvent, DriverReader } from '../../src/model/driver.ts';
import { cli } from '../cli/rig.ts';
import { SessionProject } from '../sessions/project.ts';
import { commandsIn, hostileStream, type HostileStream } from './hostile.ts';
import { sessionOf } from './session.ts';

const runs = { numRuns: 10_000, seed: 20_251_118 };

/** A driver whose every kind of event carries what the agent wrote. */
function everyKind(): DriverReader {
  return {
    line: (text): readonly DriverEvent[] => [
      { type: 'text', text },
      { type: 'tool', name: text, target: text },
      { type: 'waiting', why: text },
      { type: 'problem', message: text },
      { type: 'limit', resetAt: text.length },
      { type: 'usage', usage: { inputTokens: text.length, outputTokens: 1, costUsd: 1 } },
    ],
    stop: () => 'finished',
  };
}

/** A whole log at once, as a person reads it. */
function renderLog(stream: HostileStream): readonly RenderedLine[] {
  const render = renderer();
  return linesOf(stream)
    .flatMap(eventsOf(everyKind()))
    .flatMap(({ event }) => render(event));
}

function linesOf({ bytes, sizes }: HostileStream): readonly LogLine[] {
  const cutter = new LineCutter();
  const lines: LogLine[] = [];
  for (let [at, n] = [0, 0]; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    lines.push(...cutter.push(bytes.subarray(at, at + size), at));
    at += size;
  }
  return [...lines, ...cutter.rest()];
}

/** The smallest stream that makes the terminal do something; null: there is none. */
function leak(shown: (stream: HostileStream) => string): HostileStream | null {
  const isText = fc.property(hostileStream, (stream) => commandsIn(shown(stream)).length === 0);
  return fc.check(isText, runs).counterexample?.[0] ?? null;
}

test('10,000 hostile streams: a rendered log tells the terminal nothing but text', () => {
  const found = leak((stream) => {
    const lines = renderLog(stream);
    return lines.map((line) => sessionLine(line, painter(false))).join('\n');
  });
  expect(found).toBeNull();
});

test('10,000 hostile streams: events for programs, lines of session.log, cells of a table and the input line are text', () => {
  const found = leak((stream) => {
    const lines = linesOf(stream);
    const all = stream.bytes.toString('utf8');
    const events = lines.flatMap(eventsOf(everyKind()));
    const typed = press(emptyLine, { sequence: all });
    return [
      ...events.map((event) => jsonLine(sessionEventJson(event))),
      ...lines.map(({ text }) => sessionLogLine(text, painter(false))),
      oneLine(all),
      oneLine(all, 12),
      typed.at === 'edited' ? typed.line.before : 'sent',
      shownLine({ before: all, after: all, pasting: false }, 30).text,
    ].join('\n');
  });
  expect(found).toBeNull();
});

/** How often a view with these texts writes an escape. Its own are as many whatever the texts are. */
function escapesWhenWatched(texts: readonly string[], told: string): number {
  let written = '';
  const screen = {
    isTerminal: true,
    colour: false,
    columns: () => 4000,
    rows: () => 24,
    onResize: () => ({ [Symbol.dispose]: () => undefined }),
    isClosed: () => false,
    writeBytes: async () => undefined,
    drained: async () => undefined,
    writeProblem: async () => null,
  };
  const stdout = { write: (text: string) => void (written += text) };
  using area = new BottomArea({ process: { stdout, stderr: stdout }, screen });
  const session = { ...sessionOf('20251118-153042-worker'), agent: told };
  const activity = { at: 'waiting', for: told } as const;
  const status = statusLine({
    session,
    activity,
    now: 0,
    columns: 4000,
    paint: painter(false),
    hint: 'hint',
  });
  area.paint({ lines: [status, '› '], cursor: 2 });
  for (const text of texts) area.say(`${text}\n`);
  return commandsIn(written).length;
}

test('10,000 hostile streams: a watched session moves the cursor exactly as often as one that says nothing', () => {
  const paint = painter(false);
  fc.assert(
    fc.property(hostileStream, (stream) => {
      const texts = renderLog(stream).map((line) => sessionLine(line, paint));
      const told = stream.bytes.toString('utf8');
      expect(escapesWhenWatched(texts, told)).toBe(
        escapesWhenWatched(
          texts.map(() => 'x'),
          'x',
        ),
      );
    }),
    runs,
  );
});

test('10,000 hostile streams in one log: `tutti session logs` prints text', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'ok');
  await project.untilStatus(tutti, id, 'COMPLETED');
  const dir = join(project.path, '.tutti', 'sessions', id);
  mkdirSync(dir, { recursive: true });
  const streams = fc.sample(hostileStream, runs).map(({ bytes }) => bytes);
  const log = Buffer.concat(streams.flatMap((bytes) => [bytes, Buffer.from('\n')]));
  writeFileSync(join(dir, 'output.log'), log);
  writeFileSync(join(dir, 'session.log'), log);
  for (const more of [[], ['--json'], ['--session-log'], ['--session-log', '--json'], ['--lines', '9000']]) {
    const { out, code } = await cli({ folder: project.path }, 'session', 'logs', id, ...more);
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(50_000);
    expect(commandsIn(out)).toEqual([]);
  }
  const { out } = await cli({ folder: project.path }, 'session', 'logs', id, '--raw');
  expect(Buffer.from(out, 'latin1').equals(log)).toBe(true);
});

test('control: whoever prints what they read obeys the agent in most of these streams', () => {
  const naive = fc.sample(hostileStream, runs).map(({ bytes }) => bytes.toString('utf8'));
  expect(leak(({ bytes }) => bytes.toString('utf8'))).not.toBeNull();
  const leaking = naive.filter((text) => commandsIn(text).length > 0);
  expect(leaking.length).toBeGreaterThan(8000);
  expect(escapesWhenWatched(['\u001B[2J'], 'x')).toBeGreaterThan(escapesWhenWatched(['x'], 'x'));
});
