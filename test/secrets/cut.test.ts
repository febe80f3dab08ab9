import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const secret = 'beginning-of-it-0123456789-end-of-it';
const env = { MY_TOKEN: secret };
/** Of an output the last 4000 characters are kept: they would begin inside the secret. */
const said = `${secret}${'y'.repeat(3990)}`;

test.each([
  ['a command', { id: 'a', command: ['sh', 'says.sh'] }],
  ['an agent', { id: 'a', agent: 'coder', prompt: 'say it' }],
])('of what %s said, no half of a secret is kept where the rest is cut off', async (_who, step) => {
  using folder = tempFolder();
  writeProject(folder.path, {
    said,
    'says.sh': 'cat said; exit 3\n',
    'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'says.sh'] } } },
    'flow.yaml': { name: 'f', steps: [step] },
  });
  await cli({ folder: folder.path, env }, 'run', 'flow.yaml');
  const database = readFileSync(join(folder.path, '.tutti', 'tutti.db'), 'utf8');
  expect(database).toContain('y'.repeat(1000));
  expect(database).not.toContain('end-of-it');
});
