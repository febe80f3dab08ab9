import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { planPathsOf } from '../../src/app/plan-files/plan-paths.ts';
import { readPlanContext, savePlanContext } from '../../src/app/plan-files/plan-context.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { workflows } from '../../src/app/workflows.ts';
import { executionReport } from '../../src/app/views/execution-report.ts';
import { ExecuteProject, projectEnv } from '../execute/project.ts';
import { goodPlan, type PlanDocuments } from '../plans/good-plan.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** Two tasks that do not need each other, and that must both pass one command. */
function twoTasks(verification: string): PlanDocuments {
  const documents = goodPlan({ tasks: 2 });
  return {
    ...documents,
    physicalMap: {
      ...documents.physicalMap,
      infrastructure: [],
      summary: { total_behaviors: 2, total_files: 4 },
    },
    tasks: documents.tasks.map((task) => ({
      ...task,
      files: task.files.filter(({ path }) => path !== 'package.json'),
      dependencies: { tasks: [], external: [] },
      acceptance_criteria: [{ criterion: 'All tests of the project pass', verification }],
    })),
  };
}

/** The runner of the project's tests: without it, a shell ends with 127. */
const runner = `#!/usr/bin/env node
if (require('fs').existsSync('red')) process.exit(1);
`;

interface Work {
  /** What both tasks must pass. */
  readonly verification: string;
  /** Programs that the project has too. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * An ordinary Node project in git: a lock file, ignored `node_modules`, and tests whose runner is a dependency. The dependency
 * is a tarball in the project, so that npm needs no network. Each installation notes its folder in `setups`.
 */
class NodeProject implements Disposable {
  readonly project: ExecuteProject;
  readonly #home: string;

  constructor(settings = '', { verification = 'npm test', files = {} }: Partial<Work> = {}) {
    const project = new ExecuteProject(twoTasks(verification));
    this.project = project;
    this.#home = dirname(project.path);
    this.#packRunner();
    project.write(
      'package.json',
      JSON.stringify({
        name: 'records',
        version: '1.0.0',
        type: 'module',
        scripts: { test: 'tiny-runner', postinstall: `pwd >> '${join(this.#home, 'setups')}'` },
        devDependencies: { 'tiny-runner': 'file:vendor/tiny-runner-1.0.0.tgz' },
      }),
    );
    project.write('.npmrc', 'audit=false\nfund=false\noffline=true\nupdate-notifier=false\n');
    project.write('.gitignore', `${project.read('.gitignore')}node_modules/\n`);
    project.write('tutti.yaml', `${project.read('tutti.yaml')}${settings}`);
    for (const [path, text] of Object.entries(files)) {
      project.write(path, text);
      chmodSync(join(project.path, path), 0o755);
    }
    this.#run('npm', ['install', '--package-lock-only', '--ignore-scripts']);
    this.#run('git', ['add', '-A']);
    this.#run('git', ['commit', '-qm', 'an ordinary Node project']);
    // Both workspaces exist before either task lands, so that the second lands on a tip that it was not judged on.
    project.rules({ T001: { waitFor: 'began' }, T002: { touch: 'began' } });
  }

  #packRunner(): void {
    const source = join(this.#home, 'tiny-runner');
    mkdirSync(source);
    const manifest = { name: 'tiny-runner', version: '1.0.0', bin: 'run.js' };
    writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(source, 'run.js'), runner, { mode: 0o755 });
    mkdirSync(join(this.project.path, 'vendor'));
    this.#run('npm', ['pack', '--silent', '--pack-destination', 'vendor', source]);
  }

  #run(program: string, args: readonly string[]): void {
    const { path } = this.project;
    execFileSync(program, args, { cwd: path, env: projectEnv(path), stdio: 'pipe' });
  }

  /** Names of the folders in which npm has installed, sorted. */
  get setups(): readonly string[] {
    const lines = readFileSync(join(this.#home, 'setups'), 'utf8').trim().split('\n');
    return lines.map((line) => line.slice(line.lastIndexOf('/') + 1)).toSorted();
  }

  [Symbol.dispose](): void {
    this.project[Symbol.dispose]();
  }
}

test('two tasks of an ordinary Node project land with npm test as their criterion', async () => {
  using node = new NodeProject();
  const questions: string[] = [];
  const end = await node.project.play({}, (question) => {
    questions.push(question);
    return null;
  });
  expect(questions).toEqual([]);
  expect(end).toEqual({ outcome: 'SUCCESS', ran: ['T001', 'T001/verify', 'T002', 'T002/verify'] });
  expect(node.project.git('log', '--format=%s', 'tutti/records/integration').split('\n')).toHaveLength(5);
  // One lock file: each workspace and the folder where merged work is judged were prepared once.
  expect(node.setups).toEqual(['T001-1', 'T002-1', 'landing']);
});

test('the same project without setup asks once about the missing program and pays no healing turn', async () => {
  using node = new NodeProject('workspace: { setup: [] }\n');
  const questions: string[] = [];
  const end = await node.project.play({}, (question) => {
    questions.push(question);
    return 'fail';
  });
  expect(end).toEqual({ outcome: 'NEEDS_ESCALATION', ran: ['T001', 'T002'] });
  expect(questions).toHaveLength(1);
  expect(questions[0]).toMatch(
    /`npm test` cannot be run: \S+ is missing or not executable \(exit code 127\)/,
  );
});

test('a command that a person waives in the run is asked of no agent any more, and the report names it', async () => {
  using node = new NodeProject('workspace: { setup: [] }\n');
  using tutti = node.project.open();
  const paths = planPathsOf(tutti.paths, 'records');
  const projectContext = '- `npm test` must pass afterwards\n- `npm run lint` must pass afterwards';
  const testCommands = ['npm test', 'npm run lint'];
  savePlanContext(paths, { projectContext, testCommands, waivedCommands: [], preferences: '' });
  expect((await node.project.play({}, () => 'without')).outcome).toBe('SUCCESS');
  expect(readPlanContext(paths)).toEqual({
    projectContext:
      '- `npm test` need not pass: a person chose to continue without it\n- `npm run lint` must pass afterwards',
    testCommands,
    waivedCommands: ['npm test'],
    preferences: '',
  });
  const status = await runStatus(tutti, workflows, 'records-execute');
  const report = status === null ? '' : executionReport(status, []);
  expect(report).toMatch(/\n- T00[12]: a person chose to continue without `npm test`, which failed\n/);
  for (const id of ['T001', 'T002']) {
    expect(report).toMatch(
      new RegExp(`\\n- ${id}: criterion 'All tests of the project pass' was not judged: .*\`npm test\``),
    );
  }
});

/** A setup of the project's own, and a criterion that needs nothing of it. */
const ownSetup = 'workspace: { setup: [["./prepare"]] }\n';
const verification = 'test -f package.json';

test.for([
  { how: 'is missing', files: {}, why: '`./prepare` cannot be run (exit code 127)' },
  { how: 'fails', files: { prepare: '#!/bin/sh\nexit 3\n' }, why: '`./prepare` fails before any work' },
])(
  'a setup that $how parks the plan with one question, and both tasks continue without it',
  async (setup) => {
    using node = new NodeProject(ownSetup, { verification, files: setup.files });
    const questions: string[] = [];
    const asked = await node.project.play({}, (question) => {
      questions.push(question);
      return null;
    });
    expect(asked).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain(setup.why);
    const end = await node.project.play({}, (question) => {
      questions.push(question);
      return 'without';
    });
    expect(end).toEqual({ outcome: 'SUCCESS', ran: ['T001', 'T001/verify', 'T002', 'T002/verify'] });
    expect(questions).toHaveLength(2);
  },
);

test('a setup that a person has fixed runs in both workspaces and where merged work is judged', async () => {
  using outside = tempFolder();
  const ran = join(outside.path, 'ran');
  const prepare = `#!/bin/sh\ntest -f '${ran}' && pwd >> '${ran}'\n`;
  using node = new NodeProject(ownSetup, { verification, files: { prepare } });
  expect((await node.project.play()).ran).toEqual([]);
  writeFileSync(ran, '');
  const questions: string[] = [];
  const end = await node.project.play({}, (question) => {
    questions.push(question);
    return 'again';
  });
  expect(questions).toHaveLength(1);
  expect(end).toEqual({ outcome: 'SUCCESS', ran: ['T001', 'T001/verify', 'T002', 'T002/verify'] });
  expect(readFileSync(ran, 'utf8').trim().split('\n')).toHaveLength(3);
});

test('a setup that fails only where merged work is judged pays no rebase', async () => {
  using node = new NodeProject(ownSetup, {
    verification,
    files: { prepare: '#!/bin/sh\ncase "$PWD" in */landing) exit 3 ;; esac\n' },
  });
  const questions: string[] = [];
  const end = await node.project.play({}, (question) => {
    questions.push(question);
    return 'without';
  });
  expect(questions).toHaveLength(1);
  expect(questions[0]).toContain("`./prepare` fails without the task's work too");
  expect(end).toEqual({ outcome: 'SUCCESS', ran: ['T001', 'T001/verify', 'T002', 'T002/verify'] });
});
