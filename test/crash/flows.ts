import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';

/** Each process that a flow starts says so here, when it begins and when it ends: evidence that Tutti did not write. */
export const ledger = 'ledger';

const noted = (work: string) =>
  `echo "$TUTTI_STEP begin" >> ${ledger}; ${work}; echo "$TUTTI_STEP end" >> ${ledger}`;
const command = (work: string) => ['sh', '-c', noted(work)];

/** An agent that works a little and succeeds; the gated one is wrong at first, and asks when it is told to. */
const agent = `#!/bin/sh
cat > /dev/null
echo "$TUTTI_STEP begin" >> ${ledger}
sleep 0.05
case $TUTTI_STEP in
  heals) echo wrong > heals.txt ;;
  heals/heal-1) echo right > heals.txt ;;
esac
if [ "$TUTTI_STEP" = asks ]; then
  echo '{"status":"blocked","summary":"which one?","questions":["which one?"]}' > "$TUTTI_RESULT"
else
  echo "{\\"status\\":\\"success\\",\\"summary\\":\\"$TUTTI_STEP done\\"}" > "$TUTTI_RESULT"
fi
echo "$TUTTI_STEP end" >> ${ledger}
`;

const tutti = { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } };

const flows: Readonly<Record<string, object>> = {
  linear: {
    name: 'linear',
    steps: [
      { id: 'first', command: command('sleep 0.02') },
      { id: 'second', needs: ['first'], command: command('sleep 0.02') },
      { id: 'third', needs: ['second'], agent: 'coder', prompt: 'third' },
      { id: 'last', needs: ['third'], command: command('sleep 0.02') },
    ],
  },
  parallel: {
    name: 'parallel',
    concurrency: 3,
    steps: [
      { id: 'one', agent: 'coder', prompt: 'one' },
      { id: 'two', agent: 'coder', prompt: 'two' },
      { id: 'three', command: command('sleep 0.1') },
      { id: 'four', command: command('sleep 0.05') },
      { id: 'join', needs: ['one', 'two', 'three', 'four'], command: command('true') },
    ],
  },
  gated: {
    name: 'gated',
    steps: [
      {
        id: 'heals',
        agent: 'coder',
        prompt: 'heal',
        gates: [{ command: ['sh', '-c', noted('grep -q right heals.txt; r=$?') + '; exit $r'] }],
      },
      { id: 'asks', agent: 'coder', prompt: 'ask' },
      {
        id: 'join',
        needs: ['heals', 'asks'],
        command: command('true'),
        gates: [{ approval: 'Shall it land?' }],
      },
    ],
  },
};

export const flowNames = Object.keys(flows);

export function writeFlowProject(folder: string, name: string): string {
  const files = { 'agent.sh': agent, 'tutti.yaml': stringify(tutti), 'flow.yaml': stringify(flows[name]) };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return 'flow.yaml';
}
