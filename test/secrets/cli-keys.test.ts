import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { cheap, ExecuteProject } from '../execute/project.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const key = 'ANTHROPIC_API_KEY';
const note = (who: string): string => `printf '%s' "\${${key}-none}" > ${who}`;

/** Stands in for Claude Code: notes the key that it sees, and hands over a result. */
const claude = `#!/bin/sh
case "$1" in --version) echo '2.1.325 (Claude Code)'; exit ;; esac
cat > /dev/null
${note('agent.txt')}
echo '{"type":"system","subtype":"init","session_id":"c1"}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","structured_output":{"status":"success","summary":"done"}}'
`;

const flow = {
  steps: [
    {
      id: 'work',
      agent: 'coder',
      prompt: 'Do it.',
      gates: [{ command: ['sh', '-c', note('gate.txt')] }],
    },
    { id: 'after', needs: ['work'], command: ['sh', '-c', note('command.txt')] },
  ],
};

/** Who sees the key in a project with these settings, and what was said on the way. */
async function seenWith(settings: object) {
  using folder = tempFolder();
  const project = join(folder.path, 'project');
  writeProject(folder.path, {
    'bin/claude': claude,
    'project/tutti.yaml': { sandbox: 'off', ...settings },
    'project/flow.yaml': flow,
  });
  chmodSync(join(folder.path, 'bin/claude'), 0o755);
  const PATH = `${join(folder.path, 'bin')}:${process.env['PATH'] ?? ''}`;
  const env = { PATH, HOME: folder.path, [key]: 'sk-of-the-person' };
  const { code, err } = await cli({ folder: project, env, stdin: '' }, 'run', 'flow.yaml');
  expect(code, err).toBe(0);
  const [agent, gate, command] = ['agent', 'gate', 'command'].map((who) =>
    readFileSync(join(project, `${who}.txt`), 'utf8'),
  );
  return { agent, gate, command, err };
}

test('the key of a CLI reaches its sessions, and neither gates nor commands', async () => {
  const { err, ...seen } = await seenWith({});
  expect(seen).toEqual({ agent: 'sk-of-the-person', gate: 'none', command: 'none' });
  // Where no driver is named, the one that was found is.
  expect(err).toContain('driver claude, found on PATH');
});

test('control: a key that env names reaches gates and commands too', async () => {
  const { err, ...seen } = await seenWith({ driver: 'claude', env: [key] });
  const all = 'sk-of-the-person';
  expect(seen).toEqual({ agent: all, gate: all, command: all });
  expect(err).not.toContain('found on PATH');
});

/** Who of a plan's processes sees the key: the agent, what prepares and closes its workspace, and what accepts its work. */
async function seenInPlan(settings: object) {
  using place = tempFolder();
  const program = join(place.path, 'claude');
  const noteTo = (who: string): string => `printf '%s\\n' "\${${key}-none}" >> ${join(place.path, who)}`;
  const lines = claude.replace(note('agent.txt'), `${noteTo('agent')}\nnode "$HOME/agent.mjs"`);
  writeProject(place.path, { claude: lines });
  chmodSync(program, 0o755);
  const hook = (who: string): readonly string[][] => [['sh', '-c', noteTo(who)]];
  const documents = cheap(goodPlan({ tasks: 2 }));
  const tasks = documents.tasks.map((task) => ({
    ...task,
    acceptance_criteria: task.acceptance_criteria.map((one) => ({
      ...one,
      verification: `${noteTo('criterion')}; ${one.verification}`,
    })),
  }));
  const config = {
    driver: 'claude',
    sandbox: 'off',
    drivers: { claude: { type: 'claude', program } },
    workspace: { setup: hook('setup'), teardown: hook('teardown') },
    ...settings,
  };
  const own = { config, env: { [key]: 'sk-of-the-person' } };
  using project = new ExecuteProject({ ...documents, tasks }, 'git', own);
  expect((await project.play()).outcome).toBe('SUCCESS');
  const seen = (who: string): readonly string[] => [
    ...new Set(readFileSync(join(place.path, who), 'utf8').trim().split('\n')),
  ];
  return Object.fromEntries(
    ['agent', 'setup', 'teardown', 'criterion'].map((who) => [who, seen(who).join(', ')] as const),
  );
}

test('the key of a CLI reaches no command that prepares, closes or judges a workspace', {
  timeout: 120_000,
}, async () => {
  expect(await seenInPlan({})).toEqual({
    agent: 'sk-of-the-person',
    setup: 'none',
    teardown: 'none',
    criterion: 'none',
  });
});

test('control: a key that env names reaches commands of a plan too', { timeout: 120_000 }, async () => {
  const all = 'sk-of-the-person';
  expect(await seenInPlan({ env: [key] })).toEqual({ agent: all, setup: all, teardown: all, criterion: all });
});
