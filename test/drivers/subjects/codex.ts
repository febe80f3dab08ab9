import { ended, failed, objectsOf, type Subject } from './subject.ts';

/** Lines as the CLI wrote them (0.166.0), shortened. */
const thread = '019a8f3c-4f3e-7a10-9c1d-2f6a5b3c7d11';
const started = `{"type":"thread.started","thread_id":"${thread}"}`;
const turn = '{"type":"turn.started"}';
const command = (type: 'started' | 'completed'): string =>
  `{"type":"item.${type}","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -lc 'echo A > a.txt'","aggregated_output":"","exit_code":0,"status":"${type === 'started' ? 'in_progress' : 'completed'}"}}`;
const changed =
  '{"type":"item.completed","item":{"id":"item_2","type":"file_change","changes":[{"path":"/w/a.txt","kind":"add"}],"status":"completed"}}';
const said = '{"type":"item.completed","item":{"id":"item_3","type":"agent_message","text":"finished"}}';
const completed =
  '{"type":"turn.completed","usage":{"input_tokens":200,"cached_input_tokens":50,"output_tokens":40}}';
const reconnecting = '{"type":"error","message":"Reconnecting... 1/5"}';
const failedWith = (message: string): readonly string[] => [
  JSON.stringify({ type: 'error', message }),
  JSON.stringify({ type: 'turn.failed', error: { message } }),
];

export const codex: Subject = {
  name: 'codex',
  config: { type: 'codex', program: 'codex', sandbox: 'workspace-write', models: {}, config: {} },
  good: [started, turn, reconnecting, command('started'), command('completed'), changed, said, completed],
  usage: { inputTokens: 200, outputTokens: 40, costUsd: null, cachedInputTokens: 50 },
  cases: [
    { what: 'a turn without an end', lines: [started, turn, said], end: ended, stop: 'failed' },
    { what: 'nothing at all', lines: [], end: ended, stop: 'failed' },
    {
      what: 'a turn that failed, whatever the exit code',
      lines: [started, turn, ...failedWith('unexpected status 500')],
      end: ended,
      stop: 'failed',
    },
    {
      what: 'a failure after an end',
      lines: [started, turn, completed, ...failedWith('stream disconnected')],
      end: ended,
      stop: 'failed',
    },
    {
      what: 'an end, and a second turn without',
      lines: [started, turn, completed, turn, said],
      end: ended,
      stop: 'failed',
    },
    {
      what: 'a wrong flag',
      lines: ["error: unexpected argument '--nope' found"],
      end: { ...ended, exitCode: 2 },
      stop: 'failed',
    },
  ],
  limits: [
    {
      what: 'a limit without its end',
      lines: [started, turn, ...failedWith('exceeded retry limit, last status: 429 Too Many Requests')],
      end: failed,
      resetAt: null,
    },
    {
      what: 'a usage limit with its end',
      lines: [
        started,
        turn,
        ...failedWith("You've hit your usage limit. Upgrade or try again at Nov 20th, 2026 3:05 PM."),
      ],
      end: failed,
      resetAt: new Date(2026, 10, 20, 15, 6).getTime(),
    },
  ],
  unknown: [
    '{"type":"turn.thing","status":"completed"}',
    '{"type":"item.completed","item":{"id":"x","type":"poem"}}',
  ],
  conversation: thread,
  tellsSuccess: true,
  mayFinish: (lines) => {
    const last = objectsOf(lines).findLast(({ type }) =>
      ['turn.started', 'turn.completed', 'turn.failed'].includes(String(type)),
    );
    return last?.['type'] === 'turn.completed';
  },
};
