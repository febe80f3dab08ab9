import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { claudeReader } from '../../drivers/claude/parse.ts';
import { commandReader } from '../../drivers/command/parse.ts';
import { workflowHandoff } from '../../model/turn.ts';
import { keepHandedOver } from './handed-over.ts';
import { readSessionResult } from './session-result.ts';
import { plainSpec } from '../../../test/rig/session-spec.ts';

const resultSchema = { type: 'object', required: ['answer'] };
const asked = { result: 'required', handoff: { ...workflowHandoff, resultSchema } } as const;
const contract = { by: 'structured', schema: resultSchema } as const;
const told =
  '{"type":"result","subtype":"success","is_error":false,"structured_output":{"answer":42,"summary":"it is 42"}}';

test('what the CLI handed over becomes the result, is checked like any other, and is there once', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  writeFileSync(join(folder.path, 'output.log'), `${told}\n`);
  for (let again = 0; again < 2; again += 1) {
    keepHandedOver(folder.path, claudeReader());
    expect(readFileSync(path, 'utf8')).toBe('{"answer":42,"summary":"it is 42"}\n');
  }
  const spec = { ...workflowSpec, ...asked };
  expect(readSessionResult(path, spec, contract)).toMatchObject({ ok: true, value: { summary: 'it is 42' } });
  const other = { ...asked.handoff, resultSchema: { type: 'object', required: ['question'] } };
  expect(readSessionResult(path, { ...spec, handoff: other }, contract)).toMatchObject({ ok: false });
});

test.each(['required', 'optional'] as const)(
  'a result that is %s may have no status, and an unknown status is a failure that names it',
  (result) => {
    using folder = tempFolder();
    const path = join(folder.path, 'result.json');
    const spec = { ...workflowSpec, ...asked, result };
    writeFileSync(path, '{"answer":42}');
    expect(readSessionResult(path, spec, contract)).toMatchObject({ ok: true, value: { status: 'success' } });
    writeFileSync(path, '{"answer":42,"status":"failed"}');
    expect(readSessionResult(path, spec, contract)).toMatchObject({ ok: true, value: { status: 'failed' } });
    for (const word of ['error', 'failure', 'FAILED']) {
      writeFileSync(path, JSON.stringify({ answer: 42, status: word }));
      expect(readSessionResult(path, spec, contract)).toMatchObject({
        ok: false,
        error: { outcome: 'FAILURE', message: expect.stringContaining(`the status "${word}" is unknown`) },
      });
    }
  },
);

test('what the agent wrote itself counts before it, and a link is followed nowhere', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  writeFileSync(join(folder.path, 'output.log'), `${told}\n`);
  symlinkSync(join(folder.path, 'elsewhere'), path);
  keepHandedOver(folder.path, claudeReader());
  expect(existsSync(join(folder.path, 'elsewhere'))).toBe(false);
});

test.each([
  ['the driver has no such way', commandReader(), told],
  ['nothing was handed over', claudeReader(), '{"type":"result","subtype":"success"}'],
])('where %s, there is no file', (_, reader, line) => {
  using folder = tempFolder();
  writeFileSync(join(folder.path, 'output.log'), `${line}\n`);
  keepHandedOver(folder.path, reader);
  expect(existsSync(join(folder.path, 'result.json'))).toBe(false);
});

const workflowSpec = {
  ...plainSpec,
  driver: 'claude',
  systemPrompt: '',
  prompt: 'x',
  timeoutMs: 1000,
} as const;

test('a result that is missing is told in the terms in which it was asked for', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  const spec = { ...workflowSpec, ...asked };
  const file = { by: 'file', path: '/project/results/a/result.json' } as const;
  for (const [how, words] of [
    [contract, 'it did not return the status and summary of its work as structured output'],
    [file, 'it wrote nothing to /project/results/a/result.json'],
  ] as const) {
    expect(readSessionResult(path, spec, how)).toMatchObject({
      ok: false,
      error: {
        reason: 'no-result',
        message: `the agent ended without the result it owes: ${words}`,
      },
    });
  }
});

test('a result file with prose is told as such, and not as a file that was not written', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'result.json');
  writeFileSync(path, 'I think it is fine.\n');
  const file = { by: 'file', path } as const;
  expect(readSessionResult(path, { ...workflowSpec, ...asked }, file)).toMatchObject({
    ok: false,
    error: { reason: 'no-result', message: expect.stringContaining('it must be one JSON object') as string },
  });
});
