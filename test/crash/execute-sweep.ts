import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { repositoryGit, plan, projectEnv, runId, writeProject } from '../execute/project.ts';
import type { Rule } from '../execute/project.ts';
import type { PlanDocuments } from '../plans/good-plan.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { live, type Life } from './life.ts';

/** What executing left behind, whoever advanced it and however often. */
export interface Remains {
  readonly outcome: string | null;
  /** `begin` and `end` lines of every agent, sorted. */
  readonly ledger: readonly string[];
  readonly boundaries: readonly string[];
  /** States of the tasks. */
  readonly tasks: Readonly<Record<string, string>>;
  readonly branches: readonly string[];
  /** Subjects of the commits on the integration branch, first to last. */
  readonly landed: readonly string[];
  readonly merges: number;
  /** Contents of the integration branch. */
  readonly tree: readonly string[];
  readonly rescues: readonly string[];
  /** Checkouts that nobody closed, and half-made ones. */
  readonly workspaces: readonly string[];
  readonly results: readonly string[];
}

export interface Swept {
  readonly point: number;
  readonly remains: Remains;
  readonly problem: string | null;
}

export interface SweptPlan {
  readonly documents: PlanDocuments;
  /** What its agents do otherwise. */
  readonly rules?: Readonly<Record<string, Rule>>;
  /** `execute`: the second life executes again. `resume`: it only goes on, without a verifier. */
  readonly how: 'execute' | 'resume';
}

/** Executes undisturbed: the measure of everything else, and the list of boundaries. */
export async function undisturbed(swept: SweptPlan): Promise<Remains> {
  using folder = tempFolder();
  const project = join(folder.path, 'project');
  await prepared(project, swept);
  const life = await lived(project, '0', swept.how);
  if (life.code !== 0) throw new Error(`the undisturbed execution failed: ${life.stderr}`);
  return remainsOf(project);
}

/** Kills the advancing process at one boundary, then lets another one finish. */
export async function crashAt(swept: SweptPlan, point: number, bug: string | null = null): Promise<Swept> {
  using folder = tempFolder();
  const project = join(folder.path, 'project');
  await prepared(project, swept);
  const first = await lived(project, String(point), swept.how);
  if (!first.killed) return { point, remains: remainsOf(project), problem: null };
  const second = await lived(project, '0', bug ?? swept.how);
  const problem =
    second.code === 0 ? null : `going on ended with ${second.code ?? 'a signal'}: ${second.stderr}`;
  return { point, remains: remainsOf(project), problem };
}

async function prepared(project: string, { documents, rules = {} }: SweptPlan): Promise<void> {
  writeProject(project, documents, 'git');
  writeFileSync(join(project, 'agent-rules.json'), JSON.stringify(rules));
  const life = await lived(project, 'plan', '');
  if (life.code !== 0) throw new Error(`the plan could not be made: ${life.stderr}`);
}

function lived(project: string, point: string, how: string): Promise<Life> {
  return live('execute-victim.ts', [project, point, how], projectEnv(project));
}

function remainsOf(project: string): Remains {
  const db = new DatabaseSync(join(project, '.tutti', 'tutti.db'), { readOnly: true });
  const run = db.prepare('select outcome from runs where id = ?').get(runId);
  const tasks = db.prepare('select id, status from plan_tasks order by id').all();
  db.close();
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');
  const branch = `tutti/${plan}/integration`;
  return {
    outcome: run === undefined ? null : String(run['outcome']),
    ledger: lines(read(join(project, 'ledger'))).toSorted(),
    boundaries: JSON.parse(read(join(project, 'boundaries.json')) || '[]') as string[],
    tasks: Object.fromEntries(tasks.map((row) => [String(row['id']), String(row['status'])])),
    branches: lines(repositoryGit(project, ['for-each-ref', '--format=%(refname:short)', 'refs/heads'])),
    landed: lines(repositoryGit(project, ['log', '--reverse', '--format=%s', branch])),
    merges: lines(repositoryGit(project, ['log', '--merges', '--format=%s', branch])).length,
    // The project's own configuration names a folder of this test's.
    tree: lines(repositoryGit(project, ['ls-tree', '-r', branch])).filter(
      (line) => !line.endsWith('\ttutti.yaml'),
    ),
    rescues: lines(repositoryGit(project, ['for-each-ref', '--format=%(refname)', 'refs/tutti/rescue'])),
    workspaces: workspacesOf(project),
    results: readdirSync(join(project, '.tutti', 'plans', plan, 'bundles')).filter((name) =>
      name.includes('result'),
    ),
  };
}

function workspacesOf(project: string): readonly string[] {
  const state = join(dirname(project), 'state', 'tutti');
  return readdirSync(state).flatMap((mark) => namesIn(join(state, mark, plan, 'work')));
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).filter((name) => !name.startsWith('landing'));
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
