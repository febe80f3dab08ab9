import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type * as Tree from '../../src/workspace/tree.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { cheap, ExecuteProject } from './project.ts';

const file = 'src/part-1/record-1.js';

/** A process that the verifier left behind: it writes to the workspace while Tutti takes that snapshot, and hides it afterwards. */
const writer = vi.hoisted(() => ({ at: 0, snapshots: 0, isReady: (): boolean => false }));

vi.mock('../../src/workspace/tree.ts', async (original) => {
  const real = await original<typeof Tree>();
  const treeOfFolder: typeof real.treeOfFolder = async (target, folder) => {
    if (!writer.isReady() || !existsSync(join(folder.workTree, file)))
      return real.treeOfFolder(target, folder);
    writer.snapshots += 1;
    if (writer.snapshots !== writer.at) return real.treeOfFolder(target, folder);
    const path = join(folder.workTree, file);
    const extra = join(folder.workTree, 'extra.txt');
    const before = readFileSync(path);
    writeFileSync(path, 'evil\n');
    writeFileSync(extra, 'evil\n');
    const tree = await real.treeOfFolder(target, folder);
    writeFileSync(path, before);
    rmSync(extra);
    return tree;
  };
  return { ...real, treeOfFolder };
});

afterEach(() => {
  Object.assign(writer, { at: 0, snapshots: 0, isReady: () => false });
});

/** Snapshots between the verdict and the landing, and some more. */
const moments = [1, 2, 3, 4, 5, 6];

test('what another process writes during any snapshot after the verdict does not land', async () => {
  const outcomes = [];
  for (const at of moments) {
    using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
    const ledger = join(project.path, 'ledger');
    const isReady = (): boolean =>
      existsSync(ledger) && readFileSync(ledger, 'utf8').includes('T001/verify end');
    Object.assign(writer, { at, snapshots: 0, isReady });
    const { outcome } = await project.play({ tasks: ['T001'] });
    outcomes.push(outcome);
    const landed = project.git('ls-tree', '-r', '--name-only', 'tutti/records/integration');
    expect(landed, `snapshot ${at}`).not.toContain('extra.txt');
    if (landed.includes(file))
      expect(project.git('show', `tutti/records/integration:${file}`), `snapshot ${at}`).not.toContain(
        'evil',
      );
  }
  // Some snapshots are of the judged work alone, and some are of what would land.
  expect(outcomes).toContain('SUCCESS');
  expect(outcomes).toContain('NEEDS_ESCALATION');
});
