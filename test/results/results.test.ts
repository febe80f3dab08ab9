import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { takeResult } from '../../src/app/host/step-result.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { workflows } from '../../src/app/workflows.ts';
import { agentStep, AmendProject, runId } from '../amend/project.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** The planted fault: a turn starts without freeing the path of its result. */
const planted = vi.hoisted(() => ({ keepsPath: false }));
vi.mock(import('../../src/app/host/step-result.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    freeResultPath: async (parts, attempt, path) => {
      if (planted.keepsPath) mkdirSync(dirname(path), { recursive: true });
      else await original.freeResultPath(parts, attempt, path);
    },
  };
});

async function withFault<Value>(act: () => Promise<Value>): Promise<Value> {
  planted.keepsPath = true;
  try {
    return await act();
  } finally {
    planted.keepsPath = false;
  }
}

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

/** The first turn leaves a process that writes a failure; the second does the work and hands nothing over. */
const leavingWriter = (writer: string): string => `
case "$TUTTI_STEP" in
  */heal-*) sleep 1; : > made.txt ;;
  *) printf '{"status":"success","summary":"first"}' > "$TUTTI_RESULT"
     (setsid sh -c '${writer}' >/dev/null 2>&1 &) ;;
esac
`;
const write = String.raw`printf "{\"status\":\"failed\"}" > "$TUTTI_RESULT"`;
/** The result of its own turn is moved away when that has ended. */
const whileTurnRuns = 'while [ -e "$TUTTI_RESULT" ]; do sleep 0.02; done';
/** Ends when the late result is there, so that the next turn finds it. */
const untilLate = 'path=$(tail -n 1 paths); until [ -e made.txt ] || [ -e "$path" ]; do sleep 0.02; done';

test.for(['found', 'planted fault: the path is not freed'] as const)(
  'a process of an earlier turn that keeps writing a result is ended before the next turn (%s)',
  async (how) => {
    const writer = `${whileTurnRuns}; while [ -d "$TUTTI_PROJECT" ]; do ${write}; sleep 0.1; done`;
    using project = projectWith(leavingWriter(writer));
    const steps = [agentStep('work', [], 'Work.', { gates, retry: { max: 1 } })];
    const play = () => project.play(steps);
    const { outcome, ran } = how === 'found' ? await play() : await withFault(play);
    expect(ran.slice(0, 2)).toEqual(['work', 'work/heal-1']);
    expect(outcome === 'SUCCESS').toBe(how === 'found');
    const [first, ...later] = inSessions(project, 'result.json');
    expect(first).toBe('{"status":"success","summary":"first"}');
    expect(later.length === 0).toBe(how === 'found');
  },
);

test.for(['reported', 'planted fault: the path is not freed'] as const)(
  'a result that an earlier turn wrote after its end is reported and does not count (%s)',
  async (how) => {
    const writer = `${whileTurnRuns}; ${write}`;
    using project = projectWith(leavingWriter(writer));
    const late = { command: ['sh', '-c', untilLate] };
    const steps = [agentStep('work', [], 'Work.', { gates: [late, ...gates], retry: { max: 1 } })];
    const play = () => project.play(steps);
    const { outcome } = how === 'reported' ? await play() : await withFault(play);
    expect(outcome === 'SUCCESS').toBe(how === 'reported');
    using tutti = project.open();
    const warned = (await tutti.queries.events(runId, 0)).filter(
      ({ event }) => event.type === 'session.warned',
    );
    const first = (await tutti.queries.sessions.ofRun(runId))[0]?.id;
    expect(warned.map(({ event }) => event)).toEqual(
      how === 'reported'
        ? [
            {
              type: 'session.warned',
              session: first,
              about: 'late-result',
              message: 'A result was written after the turn had ended. It does not count: late-result.json',
            },
          ]
        : [],
    );
    const report = await runStatus(tutti, workflows, runId);
    const told = report?.incidents.filter(({ text }) => text.includes('late-result.json')) ?? [];
    expect(told.map(({ step }) => step)).toEqual(how === 'reported' ? ['work'] : []);
    expect(inSessions(project, 'late-result.json')).toEqual(
      how === 'reported' ? ['{"status":"failed"}'] : [],
    );
  },
);

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

test('a file beside a result that the CLI handed over is kept and does not count', () => {
  using folder = tempFolder();
  const [dir, results] = [join(folder.path, 'sessions/s2'), join(folder.path, 'results/work')];
  for (const path of [dir, results, join(folder.path, 'sessions/s1')]) mkdirSync(path, { recursive: true });
  const read = (path: string): string => readFileSync(join(folder.path, path), 'utf8');
  writeFileSync(join(dir, 'result.json'), '{"status":"success"}');
  writeFileSync(join(results, 'result.json'), '{"status":"failed"}');
  // Read a second time after a crash, it is the same.
  for (const _again of [1, 2]) {
    takeResult(dir, join(results, 'result.json'));
    expect(read('sessions/s2/result.json')).toBe('{"status":"success"}');
    expect(read('sessions/s2/unused-result.json')).toBe('{"status":"failed"}');
    expect(existsSync(join(results, 'result.json'))).toBe(false);
  }
  // The result of the session that this one continues stays where it is.
  writeFileSync(join(folder.path, 'sessions/s1/result.json'), '{"status":"blocked"}');
  takeResult(dir, join(folder.path, 'sessions/s1/result.json'));
  expect(read('sessions/s1/result.json')).toBe('{"status":"blocked"}');
});
