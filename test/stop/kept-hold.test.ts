import { expect, test } from 'vitest';
import { write } from '../cli/project.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { openTutti } from '../rig/trust.ts';

const approval = `steps:
  - { id: ap, command: [echo, built], gates: [{ approval: go on? }] }
`;

/** A run that waits, and whose process ended because it could not write, for this reason. */
async function holdBack(
  folder: string,
  why: string,
): Promise<(...args: readonly string[]) => Promise<CliEnd>> {
  write(folder, { 'flow.yaml': approval });
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli({ folder, stdin: '' }, ...args);
  expect(await tutti('run', 'flow.yaml', '--run-id', 'r')).toMatchObject({ code: 3 });
  const opened = openTutti({ folder, env: { HOME: folder }, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using project = opened.value;
  expect(project.wishes.keep('r', 'hold', why)).not.toBeNull();
  return tutti;
}

const full = 'cannot use tutti.db: database or disk is full';

test('status of a run that could not write for want of space says to free some, and what continues the run', async () => {
  using folder = tempFolder();
  const tutti = await holdBack(folder.path, full);
  const { out } = await tutti('status', 'r');
  expect(out).toContain(
    `  it could not write: ${full}\n  → free space first; then continue: tutti resume r\n`,
  );
  expect(out).not.toContain('→ continue: tutti resume r');
});

test('status of a run that could not write for another reason names the command for later', async () => {
  using folder = tempFolder();
  const tutti = await holdBack(folder.path, 'cannot use tutti.db: disk I/O error');
  expect((await tutti('status', 'r')).out).toMatch(
    /it could not write: .* disk I\/O error\n {2}→ when that is over: tutti resume r\n/,
  );
});

test('after a recovery, status says no more that a run could not write, and a person continues it', async () => {
  using folder = tempFolder();
  const tutti = await holdBack(folder.path, full);
  expect(await tutti('recover')).toMatchObject({ code: 0 });
  const { out } = await tutti('status', 'r');
  expect(out).not.toContain('could not write');
  expect(JSON.parse((await tutti('status', 'r', '--json')).out)).toMatchObject({
    unrecorded: { what: 'hold', why: 'its process could not write before the last recovery' },
  });
  expect(await tutti('resume', 'r')).toMatchObject({ code: 3 });
  expect(JSON.parse((await tutti('status', 'r', '--json')).out)).toMatchObject({ unrecorded: null });
});
