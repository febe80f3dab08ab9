import process, { argv, env, stdin } from 'node:process';
import { isObject, textMember } from '../../lib/json.ts';
import { type HookEvent, hookEventOf } from '../../model/hook.ts';
import { blockIn } from '../../model/hook-blocks.ts';
import { lastLines } from './file-end.ts';
import { appendHook } from './hook-file.ts';

/*
 * What an interface's hooks run: `"$TUTTI_NODE" "$TUTTI_HOOK" <event>`, with JSON on the input. It says nothing and never
 * fails: some CLIs give a hook's output to the model, and a failed hook stops what it was asked about.
 * Node, not a shell: the input must be understood as JSON, and 40 ms beside a model's answer are nothing.
 */
const maxBytes = 32 * 1024 * 1024;
const maxTranscriptBytes = 8 * 1024 * 1024;

async function input(): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  // All of it is read, so that nobody who writes meets a closed pipe.
  const content: AsyncIterable<Buffer> = stdin;
  for await (const part of content) {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
  }
  return length <= maxBytes ? JSON.parse(Buffer.concat(parts).toString('utf8')) : null;
}

/** Those of the turn that has just ended. */
function blocksOf(given: unknown): readonly HookEvent[] {
  if (!isObject(given)) return [];
  const promptId = textMember(given, 'prompt_id');
  const transcript = textMember(given, 'transcript_path');
  if (promptId === '' || transcript === '') return [];
  return lastLines(transcript, maxTranscriptBytes)
    .map((line) => blockIn(line, promptId))
    .filter((block) => block !== null);
}

try {
  const given = stdin.isTTY ? null : await input().catch(() => null);
  const hook = hookEventOf(argv[2] ?? '', given);
  const dir = env['TUTTI_SESSION_DIR'];
  if (hook !== null && dir !== undefined) {
    for (const block of hook.event === 'turn-done' ? blocksOf(given) : []) appendHook(dir, block);
    appendHook(dir, hook);
  }
} catch {
  // A full disk or a folder that went away: the interface is not to be troubled with it.
}
process.exit(0);
