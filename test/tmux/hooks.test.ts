import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HookFile } from '../../src/runtime/tmux/hook-file.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const program = repository('src/runtime/tmux/hook-program.ts');

function hook(dir: string, event: string, input: string): { code: number | null; said: string } {
  const env = { TUTTI_SESSION_DIR: dir };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, event], {
    env,
    input,
    encoding: 'utf8',
  });
  return { code: status, said: stdout + stderr };
}

test('a hook records one line, says nothing and never fails, whatever it is given', () => {
  using folder = tempFolder();
  const events = new HookFile(folder.path);
  const quiet = { code: 0, said: '' };
  expect(hook(folder.path, 'ready', '{"source":"startup"}')).toEqual(quiet);
  expect(hook(folder.path, 'waiting', '{"tool_name":"Bash"}')).toEqual(quiet);
  expect(events.read()).toEqual([{ event: 'ready' }, { event: 'waiting', why: 'permission to use Bash' }]);
  for (const input of ['', 'torn {', '[]', '"text"', `{"message":"${'x'.repeat(3_000_000)}"}`]) {
    expect(hook(folder.path, 'turn-done', input)).toEqual(quiet);
  }
  expect(hook(folder.path, 'nonsense', '{}')).toEqual(quiet);
  expect(hook(join(folder.path, 'nowhere'), 'ready', '{}')).toEqual(quiet);
  expect(events.read().map(({ event }) => event)).toEqual(Array.from({ length: 5 }, () => 'turn-done'));
  expect(readFileSync(join(folder.path, 'hooks.jsonl'), 'utf8').length).toBeLessThan(10_000);
});

test('hooks that run side by side do not mix their lines', async () => {
  using folder = tempFolder();
  const message = 'y'.repeat(4000);
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const child = spawn(process.execPath, [program, 'turn-done'], {
        env: { TUTTI_SESSION_DIR: folder.path },
      });
      child.stdin.end(JSON.stringify({ message }));
      await new Promise((resolve) => child.once('close', resolve));
    }),
  );
  expect(new HookFile(folder.path).read()).toEqual(
    Array.from({ length: 12 }, () => ({ event: 'turn-done', message })),
  );
});

test('what an agent plants in place of the file is not followed, and what is no event is passed over', () => {
  using folder = tempFolder();
  const [real, linked] = [join(folder.path, 'real'), join(folder.path, 'linked')];
  for (const dir of [real, linked]) mkdirSync(dir);
  const secret = join(folder.path, 'secret');
  writeFileSync(secret, '{"event":"ready"}\n');
  symlinkSync(secret, join(linked, 'hooks.jsonl'));
  hook(linked, 'ended', '{}');
  expect(readFileSync(secret, 'utf8')).toBe('{"event":"ready"}\n');
  expect(new HookFile(linked).read()).toEqual([]);
  const lines = [
    '{"event":"ready"}',
    'x'.repeat(200_000),
    '',
    '{"event":"launch"}',
    '{"event":"ended"}',
    '{"event":"rea',
  ];
  const file = join(real, 'hooks.jsonl');
  writeFileSync(file, lines.join('\n'));
  const events = new HookFile(real);
  expect(events.read()).toEqual([{ event: 'ready' }, { event: 'ended' }]);
  // The rest of a line that came in two pieces.
  writeFileSync(file, 'dy"}\n', { flag: 'a' });
  expect(events.read()).toEqual([{ event: 'ready' }]);
  expect(events.read()).toEqual([]);
});

test('what the project’s hooks refused in a turn is told with its end', () => {
  using folder = tempFolder();
  const transcript = join(folder.path, 'transcript.jsonl');
  const content = 'PreToolUse:Write hook error: [x]: no';
  const refusal = { type: 'tool_result', is_error: true, tool_use_id: 't1', content };
  const line = (promptId: string): string => JSON.stringify({ promptId, message: { content: [refusal] } });
  writeFileSync(transcript, `${line('p1')}\n${line('p2')}\n{"promptId":"p2"}\n`);
  hook(folder.path, 'turn-done', JSON.stringify({ prompt_id: 'p2', transcript_path: transcript }));
  expect(new HookFile(folder.path).read()).toEqual([
    { event: 'blocked', tool: 'Write', reason: '[x]: no', id: 't1' },
    { event: 'turn-done', message: '' },
  ]);
  const nowhere = JSON.stringify({ prompt_id: 'p2', transcript_path: join(folder.path, 'nowhere') });
  expect(hook(folder.path, 'turn-done', nowhere)).toEqual({ code: 0, said: '' });
  expect(existsSync(join(folder.path, 'nowhere'))).toBe(false);
});
