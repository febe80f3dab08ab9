import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { system } from '../../src/lib/process/system.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti, writeProject } from '../rig/program.ts';

/** An agent in shell: it notes that it began, waits for `go` if its step says so, and reports success. */
const agent = `cat > prompt-seen
echo "$TUTTI_STEP begin" >> ledger
case $TUTTI_STEP in slow*) while [ ! -e go ]; do sleep 0.05; done ;; esac
case $TUTTI_STEP in
  asks) echo '{"status":"blocked","summary":"?","questions":[{"text":"Which colour?","options":["red","blue"]}]}' > "$TUTTI_RESULT" ;;
  nests*) "$TUTTI_TEST_NODE" "$TUTTI_TEST_PROGRAM" run nested.yaml > nested.out 2>&1; echo "$TUTTI_DEPTH exit $?" >> nested.codes
     echo '{"status":"success","summary":"nested"}' > "$TUTTI_RESULT" ;;
  *) echo "{\\"status\\":\\"success\\",\\"summary\\":\\"$TUTTI_STEP done\\"}" > "$TUTTI_RESULT" ;;
esac
echo "$TUTTI_STEP end" >> ledger
`;

export function writeShellProject(folder: string, flow: object, config: object = {}): void {
  writeProject(folder, {
    'agent.sh': agent,
    'flow.yaml': flow,
    'tutti.yaml': {
      driver: 'mine',
      drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } },
      env: ['TUTTI_TEST_NODE', 'TUTTI_TEST_PROGRAM'],
      ...config,
    },
  });
}

export function ledger(folder: string): readonly string[] {
  return lines(join(folder, 'ledger'));
}

export function lines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

export interface StatusJson {
  readonly state: string;
  readonly outcome: string | null;
  readonly steps: readonly { readonly id: string; readonly state: string; readonly attempts: number }[];
}

type Variables = Readonly<Record<string, string>>;

/** `env` is that of whoever started the run: with another home it would be another person's. */
export async function statusOf(folder: string, runId: string, env: Variables = {}): Promise<StatusJson> {
  const { stdout, stderr } = await startTutti(folder, ['status', runId, '--json'], env).ended;
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as StatusJson;
}

/** Asks the program itself until the run is over. */
export async function untilEnded(folder: string, runId: string, env: Variables = {}): Promise<StatusJson> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const status = await statusOf(folder, runId, env);
    if (status.state === 'ended') return status;
  }
  throw new Error(`run ${runId} did not end: ${JSON.stringify(await statusOf(folder, runId, env))}`);
}

/** Processes that work in the folder's project, found by what every attempt carries. */
export function processesOf(folder: string): readonly number[] {
  return system().withVariable('TUTTI_PROJECT', (value) => value === folder);
}

export { until };
