import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import process, { argv, env, stdin } from 'node:process';
import { isObject, textMember } from '../../lib/json.ts';
import { type HookEvent, hookEventOf } from '../../model/hook.ts';
import { blockIn } from '../../model/hook-blocks.ts';
import { appendHook } from './hook-file.ts';

/*
 * What an interface's hooks run: `"$TUTTI_NODE" "$TUTTI_HOOK" <event>`, with JSON on the input. It says nothing and never
 * fails: some CLIs give a hook's output to the model, and a failed hook stops what it was asked about.
 * Node, not a shell: the input must be understood as JSON, and 40 ms beside a model's answer are nothing.
 */
const maxInputBytes = 32 * 1024 * 1024;
const maxTranscriptBytes = 8 * 1024 * 1024;

async function input(): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  // All of it is read, so that the CLI never writes into a closed pipe.
  const content: AsyncIterable<Buffer> = stdin;
  for await (const part of content) {
    length += part.length;
    if (length <= maxInputBytes) parts.push(part);
  }
  return length <= maxInputBytes ? JSON.parse(Buffer.concat(parts).toString('utf8')) : null;
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

/** Complete lines at the end of a file that another process writes; none where the path is no regular file. */
function lastLines(path: string, maxBytes: number): readonly string[] {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return [];
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return [];
    const from = Math.max(0, facts.size - maxBytes);
    const bytes = Buffer.alloc(facts.size - from);
    const length = readSync(descriptor, bytes, 0, bytes.length, from);
    const lines = bytes.subarray(0, length).toString('utf8').split('\n');
    // A part of the file begins in the middle of a line.
    return from === 0 ? lines : lines.slice(1);
  } finally {
    closeSync(descriptor);
  }
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
