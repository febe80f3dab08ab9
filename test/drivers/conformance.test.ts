import { describe, expect, test } from 'vitest';
import { stopReasonOf } from '../../src/drivers/stop-reason.ts';
import type { AgentDriver, DriverEvent } from '../../src/model/driver.ts';
import { driverOfSubject, promises } from './conformance.ts';
import { subjects } from './subjects/all.ts';
import { claude } from './subjects/claude.ts';
import { codex } from './subjects/codex.ts';

describe.each(subjects)('the driver $name', (subject) => {
  test.each(promises(subject, driverOfSubject(subject)))('$what', ({ keep }) => {
    expect(keep).not.toThrow();
  });
});

/** What a driver could get wrong, each in the real one's place, and a promise that then breaks. */
const planted: readonly (readonly [
  bug: string,
  broken: (real: AgentDriver) => AgentDriver,
  promise: string,
])[] = [
  [
    'the exit code is believed alone',
    (real) => ({ ...real, reader: () => ({ ...real.reader(), stop: stopReasonOf }) }),
    'no line may be missing at the end',
  ],
  [
    'the log is believed alone',
    (real) => ({
      ...real,
      reader: () => {
        const reader = real.reader();
        return { ...reader, stop: () => reader.stop({ exitCode: 0, signal: null, ended: null }) };
      },
    }),
    'ended by a person: killed',
  ],
  [
    'the prompt is an argument',
    (real) => ({
      ...real,
      plan: (spec, place) => {
        const plan = real.plan(spec, place);
        return { ...plan, argv: [...plan.argv, spec.prompt] };
      },
    }),
    'tells the CLI who it is and what to do',
  ],
  [
    'who it is gets lost',
    (real) => ({ ...real, plan: (spec, place) => real.plan({ ...spec, systemPrompt: '' }, place) }),
    'tells the CLI who it is and what to do',
  ],
  ['one reader serves all turns', (real) => withOneReader(real), 'reads two turns side by side'],
  [
    'what was used is added up',
    (real) => ({ ...real, reader: () => adding(real) }),
    'tells what it used as a total',
  ],
  [
    'unknown lines are told as text',
    (real) => ({
      ...real,
      reader: () => {
        const reader = real.reader();
        return { ...reader, line: (line) => nonEmpty(reader.line(line), line) };
      },
    }),
    'leaves alone what it does not know',
  ],
  [
    'it claims to tell tools, and does not',
    (real) => ({
      ...real,
      reader: () => {
        const reader = real.reader();
        return { ...reader, line: (line) => reader.line(line).filter(({ type }) => type !== 'tool') };
      },
    }),
    'a turn that owes no result is a success if it used a tool',
  ],
  [
    'it tells tools, and does not say so',
    (real) => ({ ...real, tellsTools: false }),
    'says truly whether it tells which tools',
  ],
  [
    'everything it says is told as a tool',
    (real) => ({
      ...real,
      reader: () => {
        const reader = real.reader();
        return {
          ...reader,
          line: (line) =>
            reader
              .line(line)
              .map((event) =>
                event.type === 'text' ? { type: 'tool', name: 'say', target: event.text } : event,
              ),
        };
      },
    }),
    'reads what was said',
  ],
  [
    'the conversation begins anew',
    (real) => ({
      ...real,
      plan: (spec, place) => real.plan({ ...spec, continues: null, conversation: null }, place),
    }),
    'takes the name of its conversation',
  ],
];

function withOneReader(real: AgentDriver): AgentDriver {
  const events: DriverEvent[] = [];
  return {
    ...real,
    reader: () => {
      const reader = real.reader();
      return {
        ...reader,
        line: (line) => {
          events.push(...reader.line(line));
          return events.splice(0, events.length > 2 ? 2 : 0);
        },
      };
    },
  };
}

function adding(real: AgentDriver): ReturnType<AgentDriver['reader']> {
  const reader = real.reader();
  return {
    ...reader,
    line: (line) =>
      reader.line(line).map((event) => {
        if (event.type !== 'usage') return event;
        return { ...event, usage: { ...event.usage, inputTokens: (event.usage.inputTokens ?? 0) * 2 } };
      }),
  };
}

function nonEmpty(events: readonly DriverEvent[], line: string): readonly DriverEvent[] {
  return events.length > 0 ? events : [{ type: 'text', text: line }];
}

test.each(planted)('the suite finds it when %s', (_, broken, promise) => {
  for (const subject of [claude, codex]) {
    const kept = promises(subject, broken(driverOfSubject(subject))).filter(({ what }) =>
      what.startsWith(promise),
    );
    expect(kept).toHaveLength(1);
    for (const { keep } of kept) expect(keep).toThrow();
  }
});
