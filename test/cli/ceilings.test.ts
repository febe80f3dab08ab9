import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli } from './rig.ts';

/** Works until it is ended, and would be healed if it had only been too slow. */
const config = `driver: cx
drivers:
  cx: { type: command, command: [sh, -c, 'echo turn >> turns; exec sleep 60'] }
`;

const flow = (step: string, wall = '500ms'): string => `name: work
budget: { wall: ${wall} }
steps:
  - { id: build, ${step} }
`;

const agent = 'agent: coder, prompt: build it, timeout: 30m, retry: { max: 3 }';

const slow = 'command: [sleep, "60"]';

const gated = 'command: [echo, built], gates: [{ command: [sleep, "60"] }]';

test.each([
  ['an agent', agent],
  ['a command', slow],
  ['the command of a gate', gated],
])(
  '%s that a ceiling of time ends fails for the budget, is not tried again, and resume is refused',
  async (_, step) => {
    using folder = tempFolder();
    const here = { folder: folder.path };
    write(folder.path, { 'tutti.yaml': config, 'flow.yaml': flow(step) });
    const { code, out, err } = await cli(here, 'run', 'flow.yaml', '--run-id', 'b');
    expect(code, out + err).toBe(23);
    expect(out).toContain("the run's time ceiling of 500ms is reached");
    expect(out).not.toContain('did not end within');
    expect(out).not.toContain('heal');
    expect(out).not.toContain('tutti logs');
    expect(out + err).toContain(
      'raise wall (now 500ms) under budget in flow.yaml, then: tutti run flow.yaml --run-id b',
    );
    const again = await cli(here, 'resume', 'b');
    expect(again.code, again.out).toBe(23);
  },
);

test('a run continues with what is left below a raised ceiling of time', async () => {
  using folder = tempFolder();
  const here = { folder: folder.path };
  write(folder.path, { 'tutti.yaml': config, 'flow.yaml': flow(slow) });
  expect((await cli(here, 'run', 'flow.yaml', '--run-id', 'b')).code).toBe(23);
  write(folder.path, { 'flow.yaml': flow(slow, '700ms') });
  const raised = await cli(here, 'run', 'flow.yaml', '--run-id', 'b');
  expect([raised.code, raised.out]).toEqual([
    23,
    expect.stringContaining('time ceiling of 700ms is reached'),
  ]);
});

test.each([
  ['launches: 0', 'launches (now 0)', 23],
  ['tokens: 0', 'tokens (now 0)', 23],
  ['depth: 0', 'depth (now 0)', 2],
])(
  'a run with the ceiling %s launches nothing, and the hint names the member to raise',
  async (budget, raise, exit) => {
    using folder = tempFolder();
    const step = '{ id: build, agent: coder, prompt: build it }';
    write(folder.path, { 'tutti.yaml': config, 'flow.yaml': `budget: { ${budget} }\nsteps: [${step}]\n` });
    const { code, out } = await cli({ folder: folder.path }, 'run', 'flow.yaml', '--run-id', 'b');
    expect([code, out]).toEqual([
      exit,
      expect.stringContaining(
        `raise ${raise} under budget in flow.yaml, then: tutti run flow.yaml --run-id b`,
      ),
    ]);
    expect(out).not.toContain('tutti resume');
  },
);
