import { acpExits, cautiousRules } from '../../../src/model/acp.ts';
import { ended, type Subject } from './subject.ts';

/** Lines of Tutti's own client for agents that speak the Agent Client Protocol. */
const lines = [
  { type: 'conversation', id: 'sess-1' },
  { type: 'tool', name: 'edit', target: 'a.txt' },
  {
    type: 'waiting',
    why: 'permission to edit: a.txt',
    request: { number: 1, tool: 'edit', target: 'a.txt', input: '{"a":1}', options: ['allow', 'deny'] },
  },
  { type: 'answered', request: 1, answer: 'allow' },
  { type: 'files', paths: ['/w/a.txt'] },
  { type: 'text', text: 'finished' },
  { type: 'usage', usage: { inputTokens: 200, outputTokens: 40, costUsd: null } },
].map((event) => JSON.stringify(event));
const exit = (name: keyof typeof acpExits) => ({ ...ended, exitCode: acpExits[name] });

export const acp: Subject = {
  name: 'acp',
  config: {
    type: 'acp',
    agent: { command: ['my-agent', '--acp'] },
    models: {},
    rules: cautiousRules,
    quietMs: 60_000,
  },
  good: lines,
  usage: { inputTokens: 200, outputTokens: 40, costUsd: null },
  cases: (
    [
      'max_tokens',
      'max_turn_requests',
      'refusal',
      'cancelled',
      'empty',
      'quiet',
      'gone',
      'sign_in',
      'protocol',
    ] as const
  ).map((name) => ({
    what: name,
    lines,
    end: exit(name),
    stop: name === 'sign_in' ? ('sign-in' as const) : ('failed' as const),
  })),
  limits: [
    {
      what: 'a limit without its end',
      lines: [...lines, '{"type":"limit","resetAt":null}'],
      end: exit('limit'),
      resetAt: null,
    },
    {
      what: 'a limit with its end',
      lines: [...lines, '{"type":"limit","resetAt":5000}'],
      end: exit('limit'),
      resetAt: 5000,
    },
  ],
  unknown: ['{"type":"new_thing"}', '{"jsonrpc":"2.0","method":"session/update"}'],
  conversation: 'sess-1',
  tellsSuccess: false,
  mayFinish: () => true,
};
