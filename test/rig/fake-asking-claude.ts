/*
 * Stands in for a claude that asks: for each command of its argument it asks permission to run it, notes the answer in
 * `answers.txt`, and ends when its input is closed. It writes no result before it has every answer.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const commands = JSON.parse(process.argv[2] ?? '[]') as readonly string[];
const say = (message: object): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`);
};
let at = 0;

function ask(): void {
  const command = commands[at];
  if (command === undefined) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    say({ type: 'result', subtype: 'success', is_error: false, result: 'done', total_cost_usd: 0.01, usage });
    return;
  }
  const use = { type: 'tool_use', id: `t${at}`, name: 'Bash', input: { command } };
  say({ type: 'assistant', message: { role: 'assistant', content: [use] } });
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command }, tool_use_id: `t${at}` };
  say({ type: 'control_request', request_id: `r${at}`, request });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as { type: string; response?: { response?: { behavior?: string } } };
  if (message.type === 'user') {
    say({ type: 'system', subtype: 'init', session_id: 'c1', tools: ['Bash'] });
  } else {
    const yes = message.response?.response?.behavior === 'allow';
    appendFileSync('answers.txt', `${commands[at] ?? ''}: ${yes ? 'yes' : 'no'}\n`);
    at += 1;
  }
  ask();
});
