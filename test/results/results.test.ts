import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentStep, AmendProject } from '../amend/project.ts';

/** Notes where it is to write its result, and what it was told about that. */
const beginning = `prompt=$(cat)
echo "$TUTTI_STEP" >> ledger
echo "$TUTTI_RESULT" >> paths
case "$prompt" in *"$TUTTI_RESULT"*) echo named >> told ;; *) echo unnamed >> told ;; esac
`;

function projectWith(body: string): AmendProject {
  const project = new AmendProject();
  project.write('agent.sh', beginning + body);
  return project;
}

function lines(project: AmendProject, file: string): readonly string[] {
  return project.read(file).trimEnd().split('\n');
}

/** Files of that name in the folders of sessions, in the order of the sessions. */
function inSessions(project: AmendProject, name: string): readonly string[] {
  const folder = join(project.path, '.tutti/sessions');
  return readdirSync(folder)
    .toSorted()
    .flatMap((id) => {
      const path = join(folder, id, name);
      return existsSync(path) ? [readFileSync(path, 'utf8')] : [];
    });
}

const gates = [{ file: 'made.txt' }];

test('all turns of a step write to one path, which each of them is told', async () => {
  using project = projectWith(`
case "$TUTTI_STEP" in */heal-1) : > made.txt ;; esac
printf '{"status":"success","summary":"%s"}' "$TUTTI_STEP" > "$TUTTI_RESULT"
`);
  const { outcome, ran } = await project.play([agentStep('work', [], 'Work.', { gates })]);
  expect({ outcome, ran }).toEqual({ outcome: 'SUCCESS', ran: ['work', 'work/heal-1'] });
  expect(new Set(lines(project, 'paths')).size).toBe(1);
  expect(lines(project, 'told')).toEqual(['named', 'named']);
  expect(inSessions(project, 'result.json')).toEqual([
    '{"status":"success","summary":"work"}',
    '{"status":"success","summary":"work/heal-1"}',
  ]);
});

test('a result that a process of an earlier turn would write later never counts', async () => {
  using project = projectWith(`
case "$TUTTI_STEP" in
  */heal-1) : > made.txt; sleep 1; printf '{"status":"success","summary":"second"}' > "$TUTTI_RESULT" ;;
  *) (setsid sh -c 'sleep 0.5; while :; do printf "{\\"status\\":\\"failed\\"}" > "$TUTTI_RESULT"; sleep 0.1; done' >/dev/null 2>&1 &)
     printf '{"status":"success","summary":"first"}' > "$TUTTI_RESULT" ;;
esac
`);
  const { outcome, ran } = await project.play([agentStep('work', [], 'Work.', { gates })]);
  expect({ outcome, ran }).toEqual({ outcome: 'SUCCESS', ran: ['work', 'work/heal-1'] });
  expect(inSessions(project, 'result.json')).toEqual([
    '{"status":"success","summary":"first"}',
    '{"status":"success","summary":"second"}',
  ]);
});

test('work whose result is missing is judged by its gates', async () => {
  using project = projectWith(': > made.txt\n');
  const judged = agentStep('judged', [], 'Work.', { gates });
  expect(await project.play([judged])).toMatchObject({ outcome: 'SUCCESS', ran: ['judged'] });
  const without = agentStep('without', [], 'Work.', { retry: { max: 0 } });
  expect(await project.play([judged, without])).toMatchObject({ outcome: 'FAILURE', ran: ['without'] });
});

test("an agent's own failure is not overruled by gates that pass", async () => {
  using project = projectWith(`: > made.txt
printf '{"status":"failed","summary":"not done"}' > "$TUTTI_RESULT"
`);
  const step = agentStep('work', [], 'Work.', { gates, retry: { max: 0 } });
  expect(await project.play([step])).toMatchObject({ outcome: 'FAILURE', ran: ['work'] });
});
