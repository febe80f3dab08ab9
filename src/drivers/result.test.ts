import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { outcomeOfStatus, readResult } from './result.ts';

const whole = JSON.stringify({
  status: 'success',
  summary: 'all done',
  artifacts: ['src/a.ts'],
  notes: ['assumed b'],
  questions: ['why?', { text: 'which?', options: ['a', 'b'] }],
  usage: { input_tokens: 10, output_tokens: 2, cost_usd: 0.1 },
});

test('a good result is read, whether one is owed or not', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  writeFileSync(path, whole);
  for (const contract of ['required', 'optional'] as const) {
    expect(readResult(path, contract)).toMatchObject({
      ok: true,
      value: { status: 'success', summary: 'all done' },
    });
  }
});

test('a missing result is a failure only where one is owed', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  expect(readResult(path, 'required')).toMatchObject({
    ok: false,
    error: {
      reason: 'no-result',
      outcome: 'FAILURE',
      message: expect.stringContaining('without the result it owes'),
    },
  });
  expect(readResult(path, 'optional')).toEqual({ ok: true, value: null });
});

test('an invalid result names the first thing that is wrong with it', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  writeFileSync(path, '{"status":"success","artifacts":5}');
  expect(readResult(path, 'required')).toMatchObject({
    ok: false,
    error: {
      reason: 'invalid-result',
      message: expect.stringMatching(/^the agent's result\.json is not valid: artifacts: must be/),
    },
  });
  expect(readResult(path, 'optional')).toEqual({ ok: true, value: null });
});

test.each([
  '```json\n{"status": "success"}\n```\n',
  '  ```\n{"status": "success"}\n  ```',
  'Here is my result:\n\n```json\n{\n  "status": "success"\n}\n```\n\nDone.\n',
])('a result.json with one code fence around its object is read: %j', (text) => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  writeFileSync(path, text);
  expect(readResult(path, 'required')).toMatchObject({ ok: true, value: { status: 'success' } });
  // A word that is no status does not get through in a fence either.
  writeFileSync(path, text.replace('success', 'error'));
  expect(readResult(path, 'required')).toMatchObject({ ok: false, error: { reason: 'invalid-result' } });
});

test.each([
  ['all done', 'no-result', ': unexpected "a" at line 1, column 1'],
  ['```\nnpm test\n```\n```\nok\n```\n', 'no-result', ': unexpected "`" at line 1, column 1'],
  ['{"status": "success"', 'invalid-result', ': it ends too early'],
  ['{"status": "failed", oh', 'invalid-result', ''],
])('a result.json that says %j is refused as %s in one plain sentence', (text, reason, why) => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  writeFileSync(path, text);
  expect(readResult(path, 'required')).toMatchObject({
    ok: false,
    error: {
      reason,
      message: expect.stringContaining(
        `the agent's result.json is not valid: it must be one JSON object${why}`,
      ) as string,
    },
  });
});

test.each(['error', 'failure', 'FAILED', 'done', '', 5, false])(
  'a result whose status is %j is a failure that names it, whether a result is owed or not',
  (status) => {
    using folder = tempFolder();
    const path = join(folder.path, 'result.json');
    writeFileSync(path, JSON.stringify({ status, summary: 'the tests fail' }));
    for (const contract of ['required', 'optional'] as const) {
      expect(readResult(path, contract)).toMatchObject({
        ok: false,
        error: {
          reason: 'invalid-result',
          message: `the agent's result.json is not valid: the status ${JSON.stringify(status)} is unknown; use one of success, failed, blocked, needs_refinement, needs_escalation; the agent says: the tests fail`,
        },
      });
    }
  },
);

test('a link, a folder, a huge file and bytes that are no text are never read', () => {
  using folder = tempFolder();
  const at = (name: string): string => join(folder.path, name);
  writeFileSync(at('real.json'), whole);
  symlinkSync(at('real.json'), at('link.json'));
  mkdirSync(at('folder.json'));
  writeFileSync(at('huge.json'), `"${'x'.repeat(1024 * 1024)}"`);
  writeFileSync(at('bytes.json'), Buffer.from([0xff, 0xfe, 0x00]));
  const why = (name: string): string => {
    const result = readResult(at(name), 'required');
    return result.ok ? 'read' : result.error.message;
  };
  expect(why('link.json')).toContain('symbolic link');
  expect(why('folder.json')).toContain('is a directory');
  expect(why('huge.json')).toContain('larger than 1048576 bytes');
  expect(why('bytes.json')).toContain('not UTF-8');
  expect(why('real.json')).toBe('read');
});

test('each status has its outcome', () => {
  expect(outcomeOfStatus).toEqual({
    success: 'SUCCESS',
    failed: 'FAILURE',
    blocked: 'HUMAN_INPUT',
    needs_refinement: 'NEEDS_REFINEMENT',
    needs_escalation: 'NEEDS_ESCALATION',
  });
});

test('500 corruptions of result.json: each is read or refused with one sentence', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  const corruption = fc.record({
    at: fc.nat(whole.length),
    cut: fc.nat(12),
    put: fc.oneof(
      fc.constantFrom('{', '[', '"', '\0', 'null', '1e999', '\\u0000', ','),
      fc.string({ unit: 'binary' }),
    ),
  });
  let refused = 0;
  fc.assert(
    fc.property(fc.array(corruption, { minLength: 1, maxLength: 3 }), (corruptions) => {
      const text = corruptions.reduce(
        (now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut),
        whole,
      );
      writeFileSync(path, text);
      const result = readResult(path, 'required');
      if (result.ok) return;
      refused += 1;
      const reason = text.trim().startsWith('{') ? 'invalid-result' : 'no-result';
      expect(result.error).toMatchObject({ reason, outcome: 'FAILURE' });
      expect(result.error.message).toMatch(/^the agent's result\.json is not valid: [^\n]+$/);
    }),
    { seed: 21, numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(200);
});

test('nesting without end is refused, not followed', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  const deep = `{"status":"success","notes":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  writeFileSync(path, deep);
  expect(readResult(path, 'required')).toMatchObject({ ok: false, error: { reason: 'invalid-result' } });
});
