/*
 * The process of a claude that asks: it starts the CLI with both pipes in its hands, passes on what the CLI says, and turns
 * its questions into Tutti's own words. Answers come on the standard input. Arguments: the file with the first message,
 * then the CLI and its arguments.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { system } from '../../../lib/process/system.ts';
import { writeLine } from '../../../lib/write-line.ts';
import type { DriverEvent } from '../../../model/driver.ts';
import { parseJson } from '../../../model/schemas/json-text.ts';
import { ToolRequests } from './tool-requests.ts';

const [, , file = '', program = '', ...args] = process.argv;
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const say = (message: JsonObject): void => {
  child.stdin.write(`${JSON.stringify(message)}\n`);
};
const requests = new ToolRequests({
  resultFile: system().variable(process.pid, 'TUTTI_RESULT') ?? '',
  emit: tell,
  reply: say,
});

child.stdin.on('error', () => undefined);
child.once('error', (error) => {
  tell({ type: 'problem', message: `${program} cannot be run: ${error.message}` });
  process.exit(127);
});
child.once('close', (code) => process.exit(code ?? 1));

takeLines(child.stdout, (line) => {
  const json = line.startsWith('{') ? parseJson(line) : null;
  const message = json?.ok === true && isObject(json.value) ? json.value : null;
  if (message?.['type'] === 'control_request') requests.take(message);
  else if (message?.['type'] === 'control_cancel_request') requests.withdraw(message);
  else {
    writeLine(line);
    // One turn: without more input the CLI ends by itself.
    if (message?.['type'] === 'result') child.stdin.end();
  }
});

takeLines(process.stdin, (line) => {
  requests.answer(line);
});
process.stdin.once('end', () => {
  requests.giveUp();
});

const text = readFileSync(file, 'utf8');
say({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } });

function tell(event: DriverEvent): void {
  writeLine(JSON.stringify(event));
}

function takeLines(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
