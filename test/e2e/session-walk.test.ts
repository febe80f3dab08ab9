import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { jq } from '../rig/jq.ts';
import { needProgram } from '../rig/need-program.ts';
import { writeProject } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { SessionProject } from '../sessions/project.ts';
import { trustProject } from '../rig/trust.ts';

/** The screen of a person who sits in a real terminal: what is typed, and what is seen. */
class Terminal implements Disposable {
  readonly #socket = `tutti-walk-${randomBytes(6).toString('hex')}`;

  constructor(folder: string) {
    const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: folder, PS1: '$ ' };
    trustProject(folder, env);
    const size = ['-x', '110', '-y', '45'];
    const start = [
      'new-session',
      '-d',
      '-s',
      'person',
      ...size,
      '-c',
      folder,
      'bash',
      '--norc',
      '--noprofile',
    ];
    const { status, stderr } = spawnSync('tmux', ['-L', this.#socket, '-f', '/dev/null', ...start], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`tmux: ${stderr}`);
  }

  type(text: string): void {
    this.#tmux('send-keys', '-t', '=person:', '-l', text);
  }

  press(...keys: readonly string[]): void {
    this.#tmux('send-keys', '-t', '=person:', ...keys);
  }

  enter(line: string): void {
    this.type(line);
    this.press('Enter');
  }

  screen(): string {
    return this.#tmux('capture-pane', '-p', '-S', '-500', '-t', '=person:');
  }

  async sees(what: RegExp): Promise<RegExpExecArray> {
    await until(`the person sees ${what.source}`, () => what.test(this.screen())).catch(() => {
      throw new Error(`not seen: ${what.source}\n${this.screen()}`);
    });
    const found = what.exec(this.screen());
    if (found === null) throw new Error(`gone again: ${what.source}`);
    return found;
  }

  [Symbol.dispose](): void {
    this.#tmux('kill-server');
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' }).stdout;
  }
}

/** Asks before it goes on, as an agent that is stuck does. */
const stuck = `while read -r line; do case $line in *"validate"*) break ;; esac; done
echo "Proceed with the restart?"
while read -r answer; do echo "you said: $answer"; done
`;

function walkProject(): SessionProject {
  const project = new SessionProject({
    drivers: {
      mine: { type: 'command', command: ['sh', './agent.sh'] },
      asks: { type: 'command', command: ['sh', './stuck.sh'], input: 'stream' },
    },
  });
  writeProject(project.path, {
    'agents/grafana-agent/grafana-agent-agent.md': '# Grafana validator\nYou only look.\n',
    'stuck.sh': stuck,
    'bin/jq': jq,
    'bin/tutti': `#!/bin/sh\nexec '${process.execPath}' '${installedTutti()}' "$@"\n`,
  });
  for (const name of ['jq', 'tutti']) chmodSync(join(project.path, 'bin', name), 0o755);
  return project;
}

test('example 1: a planning agent spawns a validator, waits for it, reads its result and archives it', {
  timeout: 300_000,
}, async (context) => {
  needProgram(context, 'tmux');
  await using project = walkProject();
  writeProject(project.path, {
    'example.sh': `cat > validate-grafana.md << EOF
# Task: Validate Grafana Deployment for TEF-123

## Objective
Verify Grafana is running and dashboards accessible.

## Steps
1. Check service: systemctl status grafana-server
2. Test dashboard: curl http://workhorse.local/grafana

## Deliverable
Write result.json with status and findings.
EOF
SESSION_ID=$(tutti session create grafana-agent "$PWD/validate-grafana.md" | grep "Session created:" | awk '{print $3}')
echo "Spawned: $SESSION_ID"
while [[ $(tutti session status "$SESSION_ID" --json | jq -r '.status') == "RUNNING" ]]; do
  sleep 0.2
done
RESULT=$(cat ".tutti/sessions/$SESSION_ID/result.json")
echo "Grafana validation: $(echo "$RESULT" | jq -r '.status')"
if [[ $(echo "$RESULT" | jq -r '.status') == "success" ]]; then
  tutti session archive "$SESSION_ID"
fi
echo "exit $?"
`,
  });
  using terminal = new Terminal(project.path);
  terminal.enter('bash example.sh');
  const [, id = ''] = await terminal.sees(/Spawned: (\d{8}-\d{6}-grafana-agent)/);
  await terminal.sees(/Grafana validation: success/);
  await terminal.sees(/exit 0/);
  const archived = join(project.path, '.tutti', 'archive', 'sessions', id);
  expect(existsSync(join(project.path, '.tutti', 'sessions', id))).toBe(false);
  expect(JSON.parse(readFileSync(join(archived, 'state.json'), 'utf8'))).toMatchObject({
    status: 'COMPLETED',
  });
});

test('example 2: a person sees an agent that is stuck, attaches, answers, detaches and kills it', {
  timeout: 300_000,
}, async (context) => {
  needProgram(context, 'tmux');
  await using project = walkProject();
  writeProject(project.path, { 'task.md': 'validate\n' });
  using terminal = new Terminal(project.path);
  terminal.enter('tutti session create grafana-agent task.md --driver asks --host tmux');
  const [, id = ''] = await terminal.sees(/Session created: (\S+)/);
  await terminal.sees(/Tmux: iw-/);
  terminal.enter('clear; tutti session list');
  await terminal.sees(new RegExp(`${id}\\s+grafana-agent\\s+RUNNING`));
  terminal.enter(`clear; tutti session attach ${id}`);
  await terminal.sees(/Proceed with the restart\?/);
  terminal.enter('yes, go on');
  await terminal.sees(/you said: yes, go on/);
  terminal.press('C-b');
  terminal.press('d');
  await terminal.sees(/detached/);
  terminal.enter(`clear; tutti session kill ${id}`);
  await terminal.sees(/Kill session \S+\? \[y\/N\]/);
  terminal.enter('y');
  await terminal.sees(new RegExp(`Session killed: ${id}`));
  terminal.enter(`clear; tutti session status ${id}`);
  await terminal.sees(/Status: KILLED/);
  expect(project.state(id)).toMatchObject({ status: 'KILLED', ended: 'killed' });
});

test('example 3: all failed sessions are killed in a loop, all completed ones are archived', {
  timeout: 300_000,
}, async (context) => {
  needProgram(context, 'tmux');
  await using project = walkProject();
  writeProject(project.path, {
    'good.md': 'ok',
    'bad.md': 'fail',
    'example.sh': `for task in good bad good; do tutti session create grafana-agent "$task.md" > /dev/null; done
tutti session wait $(tutti session list --json | jq -r .session_id) > /dev/null
for SESSION in $(tutti session list --status=FAILED | tail -n +2 | awk '{print $1}'); do
  tutti session kill "$SESSION" --force
done
tutti session archive --status COMPLETED --older-than 0s --all
tutti session list
echo "exit $?"
`,
  });
  using terminal = new Terminal(project.path);
  terminal.enter('bash example.sh');
  await terminal.sees(/exit 0/);
  expect(terminal.screen()).toMatch(/Session already terminated \(status: FAILED\)/);
  await terminal.sees(/Total: 1 session \(1 failed\)/);
});
