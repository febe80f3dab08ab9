import { expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json.ts';
import type { DriverEvent } from '../../../model/driver.ts';
import { markOf } from '../../../model/permission.ts';
import { ToolRequests } from './tool-requests.ts';

class Desk {
  readonly events: DriverEvent[] = [];
  readonly replies: JsonObject[] = [];
  readonly requests = new ToolRequests({
    resultFile: '/session/result.json',
    emit: (event) => this.events.push(event),
    reply: (message) => this.replies.push(message),
  });

  ask(id: string, tool: string, input: JsonObject): void {
    const request = { subtype: 'can_use_tool', tool_name: tool, input };
    this.requests.take({ type: 'control_request', request_id: id, request });
  }

  /** The numbers of what was asked, and what the CLI was told. */
  get told(): readonly unknown[] {
    return this.replies.map((reply) => reply['response']);
  }
}

const allowed = (id: string, input: JsonObject): object => ({
  subtype: 'success',
  request_id: id,
  response: { behavior: 'allow', updatedInput: input },
});

test('a question names the tool and its argument, and the answer goes back with the input as it was asked', () => {
  const desk = new Desk();
  const input = { command: 'npm publish', description: 'Publish' };
  desk.ask('r1', 'Bash', input);
  expect(desk.events).toMatchObject([
    {
      type: 'waiting',
      why: 'permission to use Bash: npm publish',
      request: { number: 1, tool: 'Bash', target: 'npm publish', options: ['allow', 'deny', 'always'] },
    },
  ]);
  expect(desk.told).toEqual([]);
  desk.requests.answer('allow 1');
  expect(desk.told).toEqual([allowed('r1', input)]);
  // An answer that comes twice changes nothing.
  desk.requests.answer('deny 1');
  expect(desk.told).toHaveLength(1);
});

test('a denied tool is refused in a sentence, and asked about again the next time', () => {
  const desk = new Desk();
  desk.ask('r1', 'Bash', { command: 'make' });
  desk.requests.answer('deny 1');
  expect(desk.told).toMatchObject([
    { response: { behavior: 'deny', message: expect.stringContaining('denied') } },
  ]);
  desk.ask('r2', 'Bash', { command: 'make' });
  expect(desk.events.filter(({ type }) => type === 'waiting')).toHaveLength(2);
});

test('what is always allowed is the same tool with the same input, and nothing else', () => {
  const desk = new Desk();
  desk.ask('r1', 'Bash', { command: 'make' });
  desk.requests.answer('always 1');
  desk.ask('r2', 'Bash', { command: 'make' });
  desk.ask('r3', 'Bash', { command: 'make install' });
  desk.ask('r4', 'Write', { file_path: 'make' });
  expect(desk.told).toEqual([allowed('r1', { command: 'make' }), allowed('r2', { command: 'make' })]);
  expect(desk.events.filter(({ type }) => type === 'waiting')).toHaveLength(3);
});

test('an answer that was given to something else is not taken', () => {
  const desk = new Desk();
  desk.ask('r1', 'Bash', { command: 'rm -rf build' });
  const other = { number: 1, tool: 'Bash', target: 'ls', input: '{"command":"ls"}', options: [] };
  desk.requests.answer(`allow 1 ${markOf(other)}`);
  expect(desk.told).toEqual([]);
  expect(desk.events.at(-1)).toMatchObject({ type: 'problem' });
});

test('the result is written without a question; another file is not', () => {
  const desk = new Desk();
  desk.ask('r1', 'Write', { file_path: '/session/result.json', content: '{}' });
  expect(desk.told).toHaveLength(1);
  desk.ask('r2', 'Write', { file_path: '/session/other.json', content: '{}' });
  desk.ask('r3', 'Read', { file_path: '/session/result.json' });
  expect(desk.told).toHaveLength(1);
});

test('questions that no answer can reach any more are denied', () => {
  const desk = new Desk();
  desk.ask('r1', 'Bash', { command: 'make' });
  desk.ask('r2', 'Task', {});
  desk.requests.withdraw({ type: 'control_cancel_request', request_id: 'r1' });
  expect(desk.told).toMatchObject([{ request_id: 'r1', response: { behavior: 'deny' } }]);
  desk.requests.giveUp();
  expect(desk.told).toMatchObject([
    { request_id: 'r1' },
    { request_id: 'r2', response: { behavior: 'deny' } },
  ]);
});

test('an agent that asks for too much at once is denied, and one that asks for something unknown is told so', () => {
  const desk = new Desk();
  for (let n = 0; n < 51; n += 1) desk.ask(`r${n}`, 'Bash', { command: `echo ${n}` });
  expect(desk.told).toMatchObject([{ request_id: 'r50', response: { behavior: 'deny' } }]);
  desk.requests.take({ type: 'control_request', request_id: 'x', request: { subtype: 'hook_callback' } });
  expect(desk.told.at(-1)).toMatchObject({ subtype: 'error', request_id: 'x' });
});
