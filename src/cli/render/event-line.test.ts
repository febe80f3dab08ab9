import { expect, test } from 'vitest';
import type { Event } from '../../model/event.ts';
import { eventLine } from './event-line.ts';

const told: readonly (readonly [Event, string | null])[] = [
  [{ type: 'run.started', workflow: 'flow' }, '● run started (flow)'],
  [{ type: 'run.amended' }, '● run amended: what did not change keeps its result'],
  [{ type: 'run.reopened', steps: ['a', 'b'] }, '● opened again: a, b'],
  [{ type: 'run.resumed' }, '● run resumed'],
  [{ type: 'run.halting', reason: 'lunch' }, '◐ halting: lunch'],
  [{ type: 'run.halted' }, '◐ halted'],
  [{ type: 'run.cancelled' }, '✕ stop asked for'],
  [{ type: 'run.ended', outcome: 'SUCCESS', message: null }, '✔ run ended with SUCCESS'],
  [{ type: 'run.ended', outcome: 'TIMEOUT', message: 'too slow' }, '✕ run ended with TIMEOUT: too slow'],
  [{ type: 'step.opened', key: 'a@1', kind: 'task', attempt: 1 }, null],
  [
    { type: 'step.launched', key: 'a@1', kind: 'session', attempt: 2, session: 's1' },
    '● a (attempt 2) started (session s1)',
  ],
  [{ type: 'step.launched', key: 'a/artifacts@1', kind: 'task', attempt: 1, session: null }, null],
  ...[
    'begin',
    'workspace',
    'bundle',
    'declared',
    'seal',
    'result',
    'check',
    'record',
    'record-1',
    'look-1-2',
  ].map((part): readonly [Event, null] => [
    { type: 'step.launched', key: `T001/${part}@1`, kind: 'task', attempt: 1, session: null },
    null,
  ]),
  [{ type: 'step.launched', key: 'T001/accept-1@1', kind: 'task', attempt: 1, session: null }, null],
  [
    { type: 'step.launched', key: 'T001/heal-1@1', kind: 'session', attempt: 1, session: 's2' },
    '● T001/heal-1 started (session s2)',
  ],
  [
    { type: 'note', name: 'planned', data: { tasks: 7, phases: 3, verdict: { verdict: 'READY' } } },
    '● planned: 7 tasks in 3 phases, READY',
  ],
  [
    {
      type: 'note',
      name: 'planned',
      data: {
        tasks: 7,
        phases: 3,
        verdict: { verdict: 'READY' },
        said: 'behaviors: changed B2; tasks: changed T002',
      },
    },
    '● planned: 7 tasks in 3 phases, READY; behaviors: changed B2; tasks: changed T002',
  ],
  [
    { type: 'note', name: 'taken-over', data: ['T001', 'T002'] },
    '✔ done by hand, now on the integration branch: T001, T002',
  ],
  [{ type: 'note', name: 'taken-over', data: [] }, '· no work by hand to take over'],
  [
    {
      type: 'step.ended',
      key: 'a@1',
      kind: 'task',
      attempt: 1,
      state: 'done',
      outcome: 'SUCCESS',
      message: null,
      gated: true,
    },
    '● a ended; its gates are next',
  ],
  [{ type: 'step.launched', key: 'a/gate-1@1', kind: 'task', attempt: 1, session: null }, null],
  [
    {
      type: 'step.ended',
      key: 'a/gate-1@1',
      kind: 'task',
      attempt: 1,
      state: 'done',
      outcome: 'SUCCESS',
      message: null,
    },
    '✔ a/gate-1 done',
  ],
  [
    {
      type: 'step.ended',
      key: 'a@1',
      kind: 'task',
      attempt: 1,
      state: 'failed',
      outcome: 'FAILURE',
      message: 'no\u001B[2J',
    },
    '✕ a FAILURE: no',
  ],
  [
    {
      type: 'step.ended',
      key: 'a@1',
      kind: 'session',
      attempt: 2,
      state: 'lost',
      outcome: 'FAILURE',
      message: null,
    },
    '◐ a (attempt 2) lost: its process vanished without a result',
  ],
  [
    {
      type: 'step.ended',
      key: 'a@1',
      kind: 'task',
      attempt: 1,
      state: 'dropped',
      outcome: 'INTERRUPTED',
      message: null,
    },
    '○ a ended: it is no longer needed',
  ],
  [
    {
      type: 'step.ended',
      key: 'a/verdict@1',
      kind: 'step',
      attempt: 1,
      state: 'done',
      outcome: 'SUCCESS',
      message: null,
    },
    '✔ a done',
  ],
  ...(['T001/verdict@1', 'a/progress@1'] as const).map((key): readonly [Event, null] => [
    {
      type: 'step.ended',
      key,
      kind: 'step',
      attempt: 1,
      state: 'done',
      outcome: 'SUCCESS',
      message: null,
    },
    null,
  ]),
  [
    {
      type: 'step.ended',
      key: 'logical/standing@1',
      kind: 'task',
      attempt: 1,
      state: 'done',
      outcome: 'FAILURE',
      message: 'edited since',
    },
    null,
  ],
  ...(['a@1', 'logical@1', 'T001/verify@1'] as const).map((key): readonly [Event, string] => [
    {
      type: 'step.ended',
      key,
      kind: 'session',
      attempt: 1,
      state: 'done',
      outcome: 'SUCCESS',
      message: null,
    },
    `● ${key.slice(0, -2)} ended its turn`,
  ]),
  ...(['SUCCESS', 'FAILURE'] as const).map((outcome): readonly [Event, string] => [
    {
      type: 'step.ended',
      key: 'logical/check@1',
      kind: 'task',
      attempt: 1,
      state: 'done',
      outcome,
      message: outcome === 'SUCCESS' ? null : 'version: is missing',
    },
    outcome === 'SUCCESS' ? '✔ logical done' : '✕ logical was not accepted: version: is missing',
  ]),
  ...(
    [
      ['T001@1', { asks: true }, '◐ T001 ended its turn with a question'],
      // Controls: without a question there is nothing to answer, and a verifier's is put to no person.
      ['T001@1', {}, '✕ T001 HUMAN_INPUT: agent coder reports blocked: no'],
      ['T001/verify@1', { asks: true }, '✕ T001/verify HUMAN_INPUT: agent coder reports blocked: no'],
    ] as const
  ).map(([key, asks, expected]): readonly [Event, string] => [
    {
      type: 'step.ended',
      key,
      kind: 'session',
      attempt: 1,
      state: 'done',
      outcome: 'HUMAN_INPUT',
      message: 'agent coder reports blocked: no',
      ...asks,
    },
    expected,
  ]),
  [{ type: 'step.retrying', key: 'a@1', attempt: 1, message: 'busy' }, '◐ a will be tried again: busy'],
  [
    { type: 'question.asked', id: 'Q1', key: 'a@1', text: 'Which?' },
    '◐ Q1 from a: Which?  → tutti answer Q1 TEXT',
  ],
  [
    { type: 'question.asked', id: 'Q2', key: 'a/gate-1@1', text: 'Ship it?' },
    '◐ Q2 from a: Ship it?  → tutti answer Q2 TEXT',
  ],
  [{ type: 'question.answered', key: 'a/gate-1/cannot-run-2@1', by: 'ada' }, '● a answered by ada'],
  [{ type: 'question.answered', key: 'a@1', by: 'ada' }, '● a answered by ada'],
  [{ type: 'task.changed', plan: 'p', task: 'T001', state: 'running' }, '● task T001 is running'],
  [{ type: 'task.changed', plan: 'p', task: 'T001', state: 'done' }, '✔ task T001 is done'],
  [{ type: 'plan.changed', plan: 'p', phase: 'ready' }, '● plan p is in phase ready'],
  ...(['session', 'task'] as const).map((kind): readonly [Event, string] => [
    {
      type: 'step.ended',
      key: 'T001@1',
      kind,
      attempt: 1,
      state: 'done',
      outcome: 'SUCCESS',
      message: null,
    },
    kind === 'session' ? '● T001 ended its turn' : '✔ T001 done',
  ]),
  [
    {
      type: 'step.ended',
      key: 'T002/begin@1',
      kind: 'task',
      attempt: 1,
      state: 'dropped',
      outcome: 'INTERRUPTED',
      message: null,
    },
    null,
  ],
  [
    {
      type: 'step.ended',
      key: 'T002/begin@1',
      kind: 'task',
      attempt: 1,
      state: 'done',
      outcome: 'FAILURE',
      message: 'its definition was edited',
    },
    '✕ T002 was not begun: its definition was edited',
  ],
  [
    { type: 'session.sandbox', about: 'claude: workspace, works', message: 'sandbox workspace' },
    '· sandbox workspace',
  ],
  [
    { type: 'session.model', about: 'coder: gpt-6, claude', message: 'agent coder uses sonnet' },
    '· agent coder uses sonnet',
  ],
  [{ type: 'note', name: 'n', data: { x: 1 } }, '· n {"x":1}'],
];

test.for(told)('%j is told in a line, or not at all', ([event, expected]) => {
  const line = eventLine(event);
  expect(line === null ? null : `${line.glyph} ${line.text}`).toBe(expected);
});
