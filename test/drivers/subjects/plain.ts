import { ended, failed, objectsOf, type Subject } from './subject.ts';

/** Drivers that need nothing installed. */
export const command: Subject = {
  name: 'command',
  config: { type: 'command', command: ['my-agent', '--fast'], input: 'file' },
  good: ['working', '', 'finished'],
  usage: null,
  cases: [{ what: 'another exit code', lines: ['no'], end: { ...ended, exitCode: 3 }, stop: 'failed' }],
  limits: [],
  unknown: [],
  conversation: null,
  tellsSuccess: false,
  mayFinish: () => true,
};

const played = [
  { type: 'conversation', id: 'c-1' },
  { type: 'tool', name: 'Edit', target: 'a.txt' },
  { type: 'files', paths: ['a.txt'] },
  { type: 'text', text: 'finished' },
  { type: 'usage', usage: { inputTokens: 200, outputTokens: 40, costUsd: 0.5 } },
].map((event) => JSON.stringify(event));
const stop = (reason: string): string => JSON.stringify({ type: 'stop', stop: reason });
const limit = (resetAt: number | null): string => JSON.stringify({ type: 'limit', resetAt });

export const replay: Subject = {
  name: 'replay',
  config: { type: 'replay', cassette: '/cassette.yaml' },
  good: played,
  usage: { inputTokens: 200, outputTokens: 40, costUsd: 0.5 },
  cases: [
    {
      what: 'a recorded failure with exit code 0',
      lines: [...played, stop('failed')],
      end: ended,
      stop: 'failed',
    },
    {
      what: 'a success that is only claimed',
      lines: [...played, stop('finished')],
      end: failed,
      stop: 'failed',
    },
  ],
  limits: [
    {
      what: 'a limit with its end',
      lines: [...played, limit(5000), stop('limit')],
      end: failed,
      resetAt: 5000,
    },
    { what: 'a limit without', lines: [...played, limit(null), stop('limit')], end: failed, resetAt: null },
  ],
  unknown: [],
  conversation: 'c-1',
  tellsSuccess: false,
  mayFinish: (lines) =>
    !objectsOf(lines).some(
      ({ type, stop: told }) =>
        type === 'stop' &&
        ['failed', 'timeout', 'killed', 'over-quota', 'crashed', 'limit', 'unavailable'].includes(
          String(told),
        ),
    ),
};
