import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchInteractive, sendInteractive } from '../../src/runtime/tmux/launch-interactive.ts';
import { until, untilExists } from '../rig/attempt-rig.ts';
import { TmuxRig } from './rig.ts';

test('an interface is given its prompt once it is ready, is talked to, and its exit code is the session’s', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec('first `id`\nsecond $(id)');
  const ended = launchInteractive(spec, rig.tmux);
  await untilExists(spec.dir, 'prompt-1');
  expect(readFileSync(join(spec.dir, 'prompt-1'), 'utf8')).toBe('first `id`\nsecond $(id)');
  await until('it is at rest', () => rig.state(spec)['activity_detail'] === 'the next message');
  expect(rig.state(spec)).toMatchObject({ status: 'RUNNING', activity: 'waiting' });
  expect(await sendInteractive(spec.dir, 'leave 7')).toEqual({ delivered: true });
  expect(await ended).toMatchObject({ exitCode: 7, ended: null });
  expect(rig.state(spec)).toMatchObject({ status: 'FAILED', exit_code: 7, activity: 'finished' });
  expect(readFileSync(join(spec.dir, 'typed'), 'utf8')).toBe('\r\r');
  expect(rig.log(spec)).toContain('[INFO] The prompt was typed and taken\n');
  expect(existsSync(join(spec.dir, 'hooks.jsonl'))).toBe(true);
});
