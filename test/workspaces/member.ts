/** One process among several that make workspaces of one plan: `member.ts FOLDER DIR TASK…`. */
import { openWorkspace } from '../../src/workspace/worktree.ts';
import { must, targetAt } from './rig.ts';

const [folder = '', dir = '', ...tasks] = process.argv.slice(2);
const target = await targetAt(folder, dir);
const made = await Promise.all(
  tasks.map((task) => openWorkspace(target, { task, attempt: 1, run: 'r', includes: true })),
);
process.stdout.write(JSON.stringify(made.map(must)));
