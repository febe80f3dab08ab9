import { expect, test } from 'vitest';
import { agentStep, AmendProject, runId } from '../amend/project.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { outlinesByName } from '../../src/model/outline.ts';

test('an agent whose model is unknown is launched once, and its failure says where to name another model', async () => {
  using project = new AmendProject();
  const turn = {
    events: [{ problem: 'unexpected status 404 Not Found: The model gpt-0 does not exist' }],
    stop: 'failed',
    exit: 1,
  };
  project.write('tape.yaml', JSON.stringify({ turns: [turn] }));
  project.write(
    'tutti.yaml',
    JSON.stringify({ driver: 'tape', drivers: { tape: { type: 'replay', cassette: 'tape.yaml' } } }),
  );
  const step = agentStep('work', [], 'Work.', { retry: { max: 3 }, gates: [{ file: 'a.txt' }] });
  expect(await project.play([step])).toMatchObject({ outcome: 'UNAVAILABLE', sessions: 1 });
  using tutti = project.open();
  const status = await runStatus(tutti, outlinesByName, runId);
  expect(status?.steps.map(({ message }) => message)).toEqual([
    'agent teller cannot use its model: the model is not known: unexpected status 404 Not Found: The model gpt-0 does not exist; name another one: the setup of driver tape in tutti.yaml (tutti help drivers)',
  ]);
});
