import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const env = { MY_API_KEY: 'value-of-the-key-1', COLOUR: 'innocent-but-listed' };

test.each([false, true])('a mistake beside a secret is shown without the secret (json: %s)', async (json) => {
  using folder = tempFolder();
  writeFileSync(
    join(folder.path, 'flow.yaml'),
    'name: bad\nsteps:\n  - { id: a, command: [login, value-of-the-key-1], wrong: AKIAIOSFODNN7EXAMPLE }\n',
  );
  const end = await cli({ folder: folder.path, env }, 'run', 'flow.yaml', ...(json ? ['--json'] : []));
  expect(end.code).toBe(64);
  expect(end.err).toContain('[redacted:MY_API_KEY]');
  expect(end.err).toContain('[redacted:aws-key]');
  expect(end.err).not.toMatch(/value-of-the-key|AKIA/);
  if (json) expect(JSON.parse(end.err)).toMatchObject({ status: 'error' });
});

test('what a project lists as secret is so as soon as it is opened', async () => {
  using folder = tempFolder();
  writeProject(folder.path, {
    'tutti.yaml': { secrets: ['COLOUR'] },
    'flow.yaml': {
      name: 'f',
      steps: [{ id: 'a', command: ['sh', '-c', 'echo innocent-but-listed; exit 3'] }],
    },
  });
  const end = await cli({ folder: folder.path, env }, 'run', 'flow.yaml');
  expect(end.out).toMatch(/ended with exit code 3 after \S+: \[redacted:COLOUR\]/);
  expect(end.out + end.err).not.toContain('innocent');
});
