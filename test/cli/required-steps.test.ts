import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli } from './rig.ts';

const flow = `name: b
steps:
  - { id: lint, command: [sh, -c, 'test -e go'], required: false }
  - { id: tests, needs: [lint], command: ["true"] }
  - { id: release, needs: [tests], command: [echo, released] }
`;

test('a run whose required steps did not run fails and names them in its end, status and report', async () => {
  using folder = tempFolder();
  const here = { folder: folder.path };
  write(folder.path, { 'flow.yaml': flow });
  const ran = await cli(here, 'run', 'flow.yaml', '--run-id', 'b');
  expect(ran.code, ran.out).toBe(1);
  expect(ran.out).toMatch(/run b ended with FAILURE .*: lint: .*; did not run: tests, release$/m);
  expect((await cli(here, 'status', 'b')).out).toMatch(/^ {2}lint: .*; did not run: tests, release$/m);
  expect((await cli(here, 'report', 'b')).out).toMatch(/^- Reason: .*; did not run: tests, release$/m);
  // Control: once the optional step passes, so does the run.
  write(folder.path, { go: '' });
  expect((await cli(here, 'resume', 'b')).code).toBe(0);
});
