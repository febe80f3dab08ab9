import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { reasonOf } from '../../src/app/sessions/reason.ts';
import type { CreateRequest } from '../../src/app/session-control/request.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import { writeProject } from '../rig/program.ts';
import { SessionProject } from './project.ts';

const cassette = {
  turns: [
    { match: { contains: 'talk' }, text: 'I have done all of it.' },
    { match: { contains: 'look' }, text: 'Fine.', tools: [{ name: 'Read', target: 'a' }] },
    { match: { contains: 'report' }, result: { status: 'success', summary: 'it is so' } },
    { match: { contains: 'untold' }, text: 'Done.', tells_tools: false },
  ],
};

test('an agent that owes no result and used no tool has not succeeded, unless its file says that words are enough', async () => {
  await using project = new SessionProject({
    driver: 'tape',
    drivers: { tape: { type: 'replay', cassette: 'tape.yaml' } },
  });
  writeProject(project.path, {
    'tape.yaml': cassette,
    'agents/talker.md': '---\nresult: optional\nmin_tools: 0\n---\nYou talk.\n',
    'agents/looker.md': '---\nresult: optional\nmin_tools: 2\n---\nYou look around.\n',
  });
  const tutti = project.open();
  const ended = async (prompt: string, change: Partial<CreateRequest>) => {
    const { id } = await project.create(tutti, prompt, { cwd: join(project.path), ...change });
    const end = await waitForSession(tutti, id, hangLimitMs);
    if (!end.ok) throw new Error(end.error.message);
    return [end.value.outcome, await reasonOf(tutti, end.value)];
  };
  const optional = { result: 'optional' } as const;
  const owed = expect.stringContaining('used no tool and handed over no result') as string;
  expect(await ended('talk', optional)).toEqual(['FAILURE', owed]);
  expect(await ended('look', optional)).toEqual(['SUCCESS', null]);
  expect(await ended('report', optional)).toEqual(['SUCCESS', null]);
  expect(await ended('untold', optional)).toEqual(['SUCCESS', null]);
  expect(await ended('talk', { agent: 'talker' })).toEqual(['SUCCESS', null]);
  expect(await ended('look', { agent: 'looker' })).toEqual([
    'FAILURE',
    expect.stringContaining('used 1 of at least 2 tools'),
  ]);
}, 60_000);
