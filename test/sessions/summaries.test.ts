import { expect, test } from 'vitest';
import { sessionStatusForm, sessionWaitForm } from '../../src/model/schemas/session-output.ts';
import { tutti, writeProject } from '../rig/program.ts';
import { SessionProject } from './project.ts';

const slow = { timeout: 300_000 };

const report = { status: 'success', summary: 'The parser\nis faster.' };
const tried = { tool: { name: 'Write', target: 'a' } };
const refused = { denied: { tool: 'Write', reason: 'no', call: true } };
const cassette = {
  turns: [
    { match: { contains: 'claim' }, result: report },
    { match: { contains: 'work' }, tools: [{ name: 'Edit', target: 'a' }], result: report },
    {
      match: { contains: 'refuse' },
      events: [tried, refused, tried, refused],
      result: report,
    },
    { match: { contains: 'words' }, text: 'It is blue.', tools: [{ name: 'Read', target: 'a' }] },
  ],
};

test(
  'session status and wait print what the agent handed over, and say when no tool was used',
  slow,
  async () => {
    await using project = new SessionProject({
      driver: 'tape',
      drivers: {
        tape: { type: 'replay', cassette: 'tape.yaml' },
        mine: { type: 'command', command: ['sh', './agent.sh'] },
      },
    });
    writeProject(project.path, { 'tape.yaml': cassette });
    const type = (...words: readonly string[]) => tutti(project.path, ...words);
    const ended = async (task: string, ...options: readonly string[]) => {
      writeProject(project.path, { 'task.md': task });
      await type('session', 'create', 'worker', 'task.md', ...options);
      const [wait, status] = [await type('session', 'wait', 'last'), await type('session', 'status', 'last')];
      const [waitJson, statusJson] = [
        await type('session', 'wait', 'last', '--json'),
        await type('session', 'status', 'last', '--json'),
      ];
      const parsed = sessionStatusForm.parse(JSON.parse(statusJson.stdout));
      const waited = sessionWaitForm.parse(JSON.parse(waitJson.stdout));
      const told = ({ summary, tool_calls }: Pick<typeof parsed, 'summary' | 'tool_calls'>) =>
        `${String(tool_calls)}: ${String(summary)}`;
      expect(told(waited)).toBe(told(parsed));
      const lines = status.stdout.split('\n').filter((line) => /^(Summary|Tools):/.test(line));
      return { wait: wait.stdout.replace(/^.*SUCCESS after [^:]*s/, '').trim(), lines, json: told(parsed) };
    };
    expect(await ended('claim')).toEqual({
      wait: ': The parser is faster. (no tool was used)',
      lines: ['Summary: The parser is faster.', 'Tools: none was used'],
      json: '0: The parser\nis faster.',
    });
    expect(await ended('work')).toEqual({
      wait: ': The parser is faster.',
      lines: ['Summary: The parser is faster.', 'Tools: 1 used'],
      json: '1: The parser\nis faster.',
    });
    expect(await ended('refuse')).toEqual({
      wait: ': The parser is faster. (no tool was used)',
      lines: ['Summary: The parser is faster.', 'Tools: 2 tried, 2 denied'],
      json: '0: The parser\nis faster.',
    });
    const logs = (await type('session', 'logs', 'last')).stdout.split('\n');
    expect(logs).toContain('✕ not permitted: Write: no');
    expect(await ended('words', '--result', 'optional')).toEqual({
      wait: ': It is blue.',
      lines: ['Summary: It is blue.', 'Tools: 1 used'],
      json: '1: It is blue.',
    });
    // A program of a person's own does not tell which tools it uses.
    expect(await ended('plainly', '--driver', 'mine')).toEqual({
      wait: ': done',
      lines: ['Summary: done'],
      json: 'null: done',
    });
  },
);
