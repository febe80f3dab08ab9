import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { quick, write } from './project.ts';
import { cli } from './rig.ts';

function project() {
  const folder = tempFolder();
  write(folder.path, {
    'tutti.yaml': '{}\n',
    'flow.yaml': quick,
    'flows/nightly.yaml': quick,
    'flows/a release.json': '{}',
    'sub/deep.yml': quick,
  });
  return folder;
}

test.each([
  ['flow.yml', 'flow.yaml'],
  ['flwo.yaml', 'flow.yaml'],
  ['nightly', 'flows/nightly.yaml'],
  ['nightly.yml', 'flows/nightly.yaml'],
  ['flows/nigthly.yaml', 'flows/nightly.yaml'],
  ['sub/deep.yaml', 'sub/deep.yml'],
])('run and trust of the flow %s, which does not exist, name %s', async (typed, meant) => {
  using folder = project();
  for (const command of ['run', 'trust']) {
    const { code, err } = await cli({ folder: folder.path }, command, typed);
    expect(code).toBe(64);
    expect(err).toContain(
      `${typed} does not exist; did you mean '${meant}'?\n  → tutti ${command} ${meant}\n`,
    );
  }
});

test('a flow is suggested by a command that the shell can take', async () => {
  using folder = project();
  const { err } = await cli({ folder: folder.path }, 'run', 'flows/a-release.json');
  expect(err).toContain("did you mean 'flows/a release.json'?\n  → tutti run 'flows/a release.json'\n");
});

test.each(['something-else.yaml', 'tutti.yml', 'none/at/all'])(
  'no flow is suggested for %s, which is near to none',
  async (typed) => {
    using folder = project();
    const { err } = await cli({ folder: folder.path }, 'run', typed);
    expect(err).toMatch(/does not exist\n {2}→ check the path, or write an example/);
  },
);
