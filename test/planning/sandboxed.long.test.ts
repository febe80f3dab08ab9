import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { needProgram } from '../rig/need-program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { PlannerProject } from './project.ts';

const slow = { timeout: 300_000 };

/** What agents of the prompts do: they log and validate by the program, whatever comes of it, and then work. */
const agent = `tutti() { '${process.execPath}' '${installedTutti()}' "$@" < /dev/null; }
{
  tutti log INFO agent start "hello from $TUTTI_STEP"; echo "log $?"
  tutti plan validate capability_map; echo "validate $?"
  tutti plan approve; echo "approve $?"
  tutti rebuild; echo "rebuild $?"
  [ -w "$TUTTI_PROJECT/.tutti/tutti.db" ]; echo "tables $?"
  mv "$TUTTI_PLAN_DIR/bundles" "$TUTTI_PLAN_DIR/moved"; echo "bundles $?"
  mv "$TUTTI_PLAN_DIR/moved" "$TUTTI_PLAN_DIR/bundles"
  [ -w "$TUTTI_PLAN_DIR/inputs/spec.md" ]; echo "spec $?"
} >> ../tried 2>&1
`;

test(
  "agents in a sandbox write the files of their plan, log and validate, and touch nothing else of Tutti's",
  slow,
  async (context) => {
    needProgram(context, 'bwrap');
    using project = new PlannerProject(inSandbox);
    const played = await project.plan();
    expect(played).toMatchObject({ outcome: 'HUMAN_INPUT' });
    expect(played.ran).toEqual(['logical', 'physical', 'definition', 'validation', 'sequencing']);
    const tried = readFileSync(join(project.path, 'tried'), 'utf8');
    expect(project.read('activity.log')).toContain('[agent] start: hello from logical');
    expect(tried.match(/^log 0$/gm)).toHaveLength(5);
    // The first one asks before there is a map; then it is valid.
    expect(tried.match(/^validate \d+$/gm)).toEqual(['validate 1', ...Array(4).fill('validate 0')]);
    expect(tried.match(/^approve \d+$/gm)).toEqual(Array(5).fill('approve 3'));
    // A command that is not carried out for agents in a sandbox is refused in a sentence.
    expect(tried.match(/^rebuild \d+$/gm)).toEqual(Array(5).fill('rebuild 69'));
    expect(tried).toContain(
      'tutti: this session may read the project and not write it: a sandbox holds it\n',
    );
    expect(await project.record).toMatchObject({ phase: 'ready', halt: null });
    expect(tried).not.toMatch(/^(tables|bundles|spec) 0$/m);
  },
);

test('control: without a sandbox the same agents write all of it', slow, async () => {
  using project = new PlannerProject((folder) => inSandbox(folder, 'off'));
  await project.plan();
  const tried = readFileSync(join(project.path, 'tried'), 'utf8');
  expect(tried).toMatch(/^bundles 0$/m);
  expect(tried).not.toContain('a sandbox holds it');
});

function inSandbox(folder: string, mode = 'workspace'): void {
  const at = (name: string): string => join(folder, name);
  for (const name of ['ledger', 'tried']) writeFileSync(at(name), '');
  writeFileSync(at('agent.sh'), `${agent}exec '${process.execPath}' '${at('planner.mjs')}'\n`);
  const command = ['sh', at('agent.sh')];
  const sandbox = { mode, write: ['ledger', 'tried', 'prompts'].map(at) };
  const config = { driver: 'mine', drivers: { mine: { type: 'command', command } }, sandbox };
  writeFileSync(at('tutti.yaml'), stringify(config));
}
