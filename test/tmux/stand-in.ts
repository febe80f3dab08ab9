import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { argv, env, stdin, stdout } from 'node:process';

/*
 * A terminal interface for tests: raw mode, bracketed paste, and hooks that tell what it does. What was pasted and
 * submitted is written to files, byte for byte; whatever was typed outside a paste is written too.
 * `shy` never says that it is ready, `deaf` never says that it took something, `asking` opens a dialog for everything.
 */
const begin = Buffer.from('\u001b[200~');
const end = Buffer.from('\u001b[201~');
const manner = argv[2] ?? '';
const place = env['RIG'] ?? '';
let pasted: Buffer[] = [];
let rest = Buffer.alloc(0);
let pasting = false;
let count = 0;

function hook(event: string, input: object = {}): void {
  spawnSync(env['TUTTI_NODE'] ?? '', [env['TUTTI_HOOK'] ?? '', event], { input: JSON.stringify(input) });
}

function submit(): void {
  const prompt = Buffer.concat(pasted);
  pasted = [];
  count += 1;
  writeFileSync(join(place, `prompt-${count}`), prompt);
  const text = prompt.toString('utf8');
  if (manner !== 'deaf') hook('submitted', { prompt: text });
  if (text.startsWith('leave ')) leave(Number(text.slice('leave '.length)));
  if (manner === 'asking') hook('waiting', { tool_name: 'Bash' });
  else if (manner !== 'busy') hook('turn-done', { last_assistant_message: `answer ${count}` });
}

function leave(code: number): void {
  stdout.write('\u001b[?2004l');
  hook('ended');
  process.exit(code);
}

function take(): boolean {
  if (pasting) {
    const at = rest.indexOf(end);
    // The end mark may be cut by the size of a read.
    const sure = at >= 0 ? at : Math.max(0, rest.length - end.length);
    pasted.push(Buffer.from(rest.subarray(0, sure)));
    rest = rest.subarray(at >= 0 ? at + end.length : sure);
    if (at >= 0) pasting = false;
    return at >= 0;
  }
  if (rest.length === 0) return false;
  if (rest.subarray(0, begin.length).equals(begin)) {
    pasting = true;
    rest = rest.subarray(begin.length);
    return true;
  }
  if (rest[0] === 27 && rest.length < begin.length) return false;
  const key = rest.subarray(0, 1);
  rest = rest.subarray(1);
  appendFileSync(join(place, 'typed'), key);
  if (key[0] === 13) submit();
  return true;
}

stdin.setRawMode(true);
stdout.write('\u001b[?2004h');
stdin.on('data', (chunk: Buffer) => {
  rest = Buffer.concat([rest, chunk]);
  while (take());
});
writeFileSync(join(place, 'pid'), String(process.pid));
writeFileSync(join(place, 'environment'), JSON.stringify(env));
if (manner !== 'shy') hook('ready');
