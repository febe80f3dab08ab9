import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli } from './rig.ts';

const flow = `name: b
steps:
  - { id: proven, command: [echo, x], gates: [{ command: ["true"] }] }
  - { id: a, command: [echo, x], gates: [{ command: [nosuchprog] }] }
`;

test('a step whose only gate a person waived is not shown as proven, in live output, status and JSON', async () => {
  using folder = tempFolder();
  const here = { folder: folder.path };
  write(folder.path, { 'flow.yaml': flow });
  expect((await cli(here, 'run', 'flow.yaml', '--run-id', 'b')).code).toBe(3);
  // While it is stopped, so that the answer starts no conductor and the run continues here.
  await cli(here, 'stop', 'b');
  expect((await cli(here, 'answer', 'Q1', 'without')).code).toBe(0);
  const resumed = await cli(here, 'resume', 'b');
  expect(resumed.code, resumed.err).toBe(0);
  const waived = 'a person chose to continue without `nosuchprog`, which failed';
  expect(resumed.out).toContain(`· a done, not proven: ${waived}\n`);
  const { out } = await cli(here, 'status', 'b');
  expect(out).toMatch(new RegExp(`^· a +\\S+ +done, not proven: ${waived}$`, 'm'));
  expect(out).not.toMatch(/✔ a\b/);
  // Control: the other step was accepted by its gate.
  expect(out).toMatch(/^✔ proven\b/m);
  const { out: json } = await cli(here, 'status', 'b', '--json');
  expect(JSON.parse(json)).toMatchObject({
    steps: [expect.not.objectContaining({ waived: expect.anything() }), { id: 'a', waived: [waived] }],
  });
});
