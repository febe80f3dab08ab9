import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stringify } from 'yaml';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { checkFlow } from '../../src/app/runs/start-flow.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { plantCanary } from './corrupt.ts';
import { openTutti, startFlow } from '../rig/trust.ts';

export const finishedRun = 'finished';

const agent = `cat > /dev/null
echo "$TUTTI_STEP" >> ledger
echo working
echo '{"status":"success","summary":"told"}' > "$TUTTI_RESULT"
`;

const config = {
  driver: 'mine',
  drivers: {
    mine: { type: 'command', command: ['sh', 'agent.sh'] },
    replay: { type: 'replay', cassette: 'turns.yaml' },
  },
  agents: { reviewer: { driver: 'replay' } },
};

const flow = {
  name: 'finished',
  steps: [
    { id: 'first', command: ['sh', '-c', 'echo first >> ledger; echo out'] },
    { id: 'told', needs: ['first'], agent: 'coder', prompt: 'Tell.' },
    { id: 'played', needs: ['first'], agent: 'reviewer', prompt: 'Play.' },
    { id: 'last', needs: ['told', 'played'], command: ['sh', '-c', 'echo last >> ledger'] },
  ],
};

const cassette = {
  turns: [
    {
      match: { step: 'played' },
      commands: [['sh', '-c', 'echo played >> ledger']],
      text: 'I played.',
      usage: { input_tokens: 3, output_tokens: 4, cost_usd: 0.01 },
      result: { status: 'success', summary: 'played' },
    },
  ],
};

export function writeFinishedProject(folder: string): void {
  const files = { 'tutti.yaml': config, 'flow.yaml': flow, 'turns.yaml': cassette };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), stringify(content));
  writeFileSync(join(folder, 'agent.sh'), agent);
  plantCanary(folder);
}

export function openProject(folder: string): Tutti {
  const opened = openTutti({ folder, env: { PATH: process.env['PATH'], HOME: folder }, create: true });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

/** `tutti run flow.yaml --run-id finished`; the outcome, or the sentence that says why there is none. */
export async function runFlow(tutti: Tutti): Promise<string> {
  const request = { file: 'flow.yaml', folder: tutti.paths.root, runId: finishedRun, maxParallel: null };
  const checked = checkFlow(request);
  if (!checked.ok) return checked.error.message;
  const started = await startFlow(tutti, checked.value, request);
  if (!started.ok) return started.error.message;
  const end = await advanceRun(tutti, { runId: finishedRun, stay: false });
  return end.ok ? end.value : end.error.message;
}

/** The views of the run, by path below its folder. */
export function viewsIn(tutti: Tutti): ReadonlyMap<string, string> {
  const folder = tutti.paths.run(finishedRun);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return new Map(
    paths
      // What launchers and `tutti recover` read is no view.
      .filter((path) => !path.startsWith('tasks/') && !path.startsWith('turns/') && path !== 'run.json')
      .toSorted()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}
