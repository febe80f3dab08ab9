import { expect, test } from 'vitest';
import { auditKinds, auditLine, auditText, typesOfKind } from './audit.ts';
import type { AuditEvent } from './event.ts';

const session = '20251118-153042-coder';
const ended = { type: 'session.ended', session, from: 'RUNNING' } as const;

const told: readonly (readonly [AuditEvent, string])[] = [
  [
    { type: 'session.created', session, agent: 'coder', requester: 'user:x' },
    `[INFO] Session created: ${session} (agent coder, requester user:x, task .tutti/sessions/${session}/prompt.md)`,
  ],
  [
    { type: 'session.sandbox', about: 'claude: workspace, works', message: 'sandbox workspace' },
    '[INFO] Sessions: sandbox workspace (claude: workspace, works)',
  ],
  [
    { type: 'session.model', about: 'coder: gpt-6, claude', message: 'agent coder uses sonnet' },
    '[INFO] Sessions: agent coder uses sonnet (coder: gpt-6, claude)',
  ],
  [{ type: 'session.began', session }, `[INFO] Session ${session}: CREATED → RUNNING`],
  [
    { ...ended, status: 'COMPLETED', outcome: 'SUCCESS', exitCode: 0 },
    `[INFO] Session ${session}: RUNNING → COMPLETED (outcome SUCCESS, exit code 0)`,
  ],
  [
    { ...ended, status: 'COMPLETED', outcome: 'FAILURE', exitCode: 0 },
    `[ERROR] Session ${session}: RUNNING → COMPLETED (outcome FAILURE, exit code 0)`,
  ],
  [
    { ...ended, status: 'FAILED', outcome: 'FAILURE', exitCode: null },
    `[ERROR] Session ${session}: RUNNING → FAILED (outcome FAILURE, exit code none)`,
  ],
  [
    { ...ended, status: 'KILLED', outcome: 'TIMEOUT', exitCode: 143 },
    `[WARN] Session ${session}: RUNNING → KILLED (Timeout, outcome TIMEOUT, exit code 143)`,
  ],
  [
    { type: 'session.killed', session, reason: 'too slow', by: 'user:x' },
    `[WARN] Session ${session} killed by user:x: too slow`,
  ],
  [
    {
      type: 'session.refused',
      agent: 'coder',
      requester: 'user:x',
      message: 'Max concurrent sessions (5) reached',
    },
    '[WARN] Quota: Max concurrent sessions (5) reached (agent coder, requester user:x)',
  ],
  [
    { type: 'session.warned', session, about: 'stall', message: 'nothing heard' },
    `[WARN] Session ${session}: nothing heard`,
  ],
  [{ type: 'session.warned', session: null, about: 'disk', message: 'much' }, '[WARN] Sessions: much'],
  [
    { type: 'session.blocked', session, message: 'rm -rf /' },
    `[WARN] Session ${session}: a hook blocked it: rm -rf /`,
  ],
  [{ type: 'session.archived', session }, `[INFO] Session ${session} archived`],
  [{ type: 'session.pruned', session }, `[INFO] Session ${session} pruned`],
  [
    {
      type: 'decision.made',
      decision: 'land',
      about: 'plan shop',
      by: `session:${session} for user:x`,
      session,
    },
    `[INFO] Decision: land (plan shop), by session:${session} for user:x`,
  ],
  [
    {
      type: 'decision.refused',
      decision: 'land',
      about: 'plan shop',
      by: 'claude',
      sign: 'process 7',
      session: null,
    },
    '[WARN] Decision refused: land (plan shop), asked for by claude (process 7)',
  ],
];

test.each(told)('%j is one line of the log', (event, line) => {
  expect(auditText(Date.parse('2025-11-18T15:30:42.987Z'), event)).toBe(`[2025-11-18T15:30:42Z] ${line}\n`);
});

test('a hostile reason stays one line, says nothing to a terminal and is not endless', () => {
  const reason = `x\n[2025-11-18T15:30:42Z] [INFO] Session forged\r\n\u001B[2J\u0000\u2028\u202E${'y'.repeat(5000)}`;
  const { message } = auditLine({ type: 'session.killed', session, reason, by: 'a\nb' });
  expect(message).toMatch(/^[^\p{Cc}\u2028\u2029\u202E]*$/u);
  expect(message.length).toBeLessThanOrEqual(1000);
  expect(message).toContain('killed by a b: x [2025');
});

test('every kind has its events, and every event is of its kind', () => {
  for (const [event] of told) expect(typesOfKind(auditLine(event).kind)).toContain(event.type);
  expect(auditKinds.flatMap(typesOfKind).toSorted()).toEqual(
    [...new Set(told.map(([{ type }]) => type))].toSorted(),
  );
});
