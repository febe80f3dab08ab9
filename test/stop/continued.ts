import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestText } from '../../src/lib/digest.ts';
import { lines } from '../e2e/project.ts';
import { PayProject, plan } from '../pay/project.ts';
import { approvedPlan } from '../pay/scenarios.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/*
 * What a person does after a stop, with this program or an older one. Each function returns what was seen.
 */

export interface Continued {
  readonly code: number | null;
  /** Turns that the last command paid for. */
  readonly turns: readonly string[];
}

/** An approved plan whose first task works, and Ctrl-C. */
async function interrupt(project: PayProject) {
  await project.run('plan', 'records.md', '--yes');
  project.hold('T001');
  const execute = project.start('execute', '--batch');
  await until('T001 works', () => project.turns().includes('T001'));
  execute.child.kill('SIGINT');
  const stop = join(project.path, '.tutti', 'plans', plan, 'STOP');
  await until('the plan is halted', () => existsSync(stop));
  return execute;
}

/** What `execute` prints after one Ctrl-C, before the agent at work ends. */
export async function saidAfterInterrupt(program?: string): Promise<string> {
  using project = new PayProject(program);
  const { ended } = await interrupt(project);
  project.release('T001');
  const { stdout, stderr } = await ended;
  return `${stdout}${stderr}`.split('\n').find((line) => line.startsWith('halting: ')) ?? '';
}

/** `execute` again after Ctrl-C. */
export async function executeAfterInterrupt(program?: string): Promise<Continued> {
  using project = new PayProject(program);
  const first = await interrupt(project);
  project.release('T001');
  await first.ended;
  const before = project.turns().length;
  const { code } = await project.run('execute', '--batch');
  return { code, turns: project.turns().slice(before) };
}

/** `resume PLAN` after Ctrl-C and `stop PLAN-execute`. */
export async function resumePlanAfterStop(program?: string): Promise<Continued> {
  using project = new PayProject(program);
  const first = await interrupt(project);
  await project.run('stop', `${plan}-execute`);
  await first.ended;
  project.release('T001');
  const before = project.turns().length;
  const { code } = await project.run('resume', plan);
  return { code, turns: project.turns().slice(before) };
}

/** Stands in for codex: names its conversation, says something, and waits for the file `go`. */
const codex = `#!/bin/sh
cat > /dev/null
echo "$*" >> "$TUTTI_PROJECT/ledger"
echo '{"type":"thread.started","thread_id":"thread-1"}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"half of it"}}'
while [ ! -e "$TUTTI_PROJECT/go" ]; do sleep 0.05; done
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;

/** A run of an agent CLI that is stopped in the middle of its turn and resumed. Returns the arguments of each launch. */
export async function resumeConversation(program?: string): Promise<readonly string[]> {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeProject(path, {
    'codex.sh': codex,
    'flow.yaml': { name: 'talk', steps: [{ id: 'talk', agent: 'coder', prompt: 'Talk.' }] },
    'tutti.yaml': {
      driver: 'codex',
      sandbox: 'off',
      drivers: { codex: { type: 'codex', program: './codex.sh' } },
    },
  });
  chmodSync(join(path, 'codex.sh'), 0o755);
  const tutti = (...args: readonly string[]) => startTutti(path, args, {}, program);
  const launches = () => lines(join(path, 'ledger'));
  const run = tutti('run', 'flow.yaml', '--run-id', 'r');
  await until('it works', () => launches().length === 1);
  const folderOf = join(path, '.tutti', 'sessions');
  await until('it has answered', () => {
    const { stdout } = spawnSync('grep', ['-rl', 'half of it', folderOf], { encoding: 'utf8' });
    return stdout !== '';
  });
  await tutti('stop', 'r').ended;
  await run.ended;
  writeFileSync(join(path, 'go'), '');
  await tutti('resume', 'r').ended;
  return launches();
}

/** A session with a pane that ends: which tmux sessions of the project are left. */
export async function tmuxAfterLastPane(
  isLeft: (sessions: string) => boolean,
  program?: string,
): Promise<string> {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeProject(path, {
    'agent.sh': `cat > /dev/null\nwhile [ ! -e go ]; do sleep 0.05; done\necho '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"\n`,
    'prompt.md': 'Do it.\n',
    'tutti.yaml': {
      driver: 'mine',
      drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } },
    },
  });
  const env = { TMUX_TMPDIR: path };
  const tmux = (...args: readonly string[]): string =>
    spawnSync('tmux', ['-L', `tutti-${digestText(path).slice(0, 8)}`, ...args], {
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
    }).stdout;
  const sessions = (): string => tmux('list-sessions', '-F', '#{session_name}');
  try {
    const create = ['session', 'create', 'coder', 'prompt.md', '--host', 'tmux', '--json'];
    const made = await startTutti(path, create, env, program).ended;
    const { session_id: id } = JSON.parse(made.stdout) as { readonly session_id: string };
    await until('it has a pane', () => sessions().includes(id));
    writeFileSync(join(path, 'go'), '');
    await startTutti(path, ['session', 'wait', id], env, program).ended;
    tmux('kill-session', '-t', `=iw-${id}`);
    await until('tmux has done it', () => isLeft(sessions()));
    return sessions();
  } finally {
    tmux('kill-server');
  }
}

/** An approved plan is executed where git is not installed: what `execute` prints, and how it ends; null: it does not end. */
export async function executeWithoutGit(
  program?: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  using project = await approvedPlan(program);
  using folder = tempFolder();
  symlinkSync(process.execPath, join(folder.path, 'node'));
  symlinkSync('/bin/sh', join(folder.path, 'sh'));
  const env = { ...project.env, PATH: folder.path };
  const { child, ended } = startTutti(project.path, ['execute', '--batch'], env, program);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until('it reports the missing program', () => /git cannot be started|spawn git/.test(said));
  // A process that ends by itself has long ended when these three have; today's is waited for.
  for (let n = 0; n < 3; n += 1) await project.run('status');
  if (program === undefined) await ended;
  const code = child.exitCode;
  child.kill('SIGKILL');
  await ended;
  await project.run('stop', '--all');
  return { code, said };
}
