import { join } from 'node:path';
import { closingOf } from '../../../src/cli/attach/closing-lines.ts';
import { eventLine } from '../../../src/cli/render/event-line.ts';
import { painter } from '../../../src/cli/render/style.ts';
import type { Json } from '../../../src/lib/json.ts';
import type { Event } from '../../../src/model/event.ts';
import { cli } from '../../cli/rig.ts';
import { AgentLedProject } from '../../agent-led/project.ts';
import { writeProject } from '../../rig/program.ts';
import { tempFolder } from '../../rig/temp-folder.ts';
import { SessionProject } from '../../sessions/project.ts';

/** What is printed when the effect is there, and when an agent only says so or the effect is missing. */
interface Scene {
  readonly good: () => Promise<string>;
  readonly bad: () => Promise<string>;
}

type Played = 'good' | 'bad';

function scene(play: (how: Played) => Promise<string>): Scene {
  return { good: () => play('good'), bad: () => play('bad') };
}

const says = `cat > /dev/null; echo '{"status":"success","summary":"everything is done"}' > "$TUTTI_RESULT"`;
const agents = { good: `touch "$TUTTI_PROJECT/out.txt"; ${says}`, bad: says };

const gated = { agent: 'coder', prompt: 'Write out.txt', gates: [{ file: 'out.txt' }], retry: { max: 0 } };

/** A flow whose agent does its work, or only says so. Then what a command says about it. */
async function afterFlow(how: Played, steps: number, ...words: readonly string[]): Promise<string> {
  using folder = tempFolder();
  const ids = Array.from({ length: steps }, (_, index) => (index === 0 ? 'work' : `work-${index}`));
  writeProject(folder.path, {
    'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', './agent.sh'] } } },
    'agent.sh': `${agents[how]}\n`,
    'flow.yaml': { name: 'flow', steps: ids.map((id) => ({ id, ...gated })) },
  });
  const run = ['run', 'flow.yaml', '--run-id', how];
  const isRun = words.length === 0;
  const terminal = steps > 1 ? { terminal: [60, 6] as const } : { stdin: '' };
  const first = await cli({ folder: folder.path, ...terminal }, ...run);
  if (isRun) return `${first.out}${first.err}`;
  const { out, err } = await cli({ folder: folder.path, stdin: '' }, ...words);
  return `${out}${err}`;
}

/** A session whose agent leaves a result, or ends without one; its lines when it has ended. */
async function watched(how: Played): Promise<string> {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, how === 'good' ? 'work' : 'silent');
  await cli({ folder: project.path, stdin: '' }, 'session', 'wait', id);
  const session = await tutti.queries.sessions.one(id);
  if (session === null) throw new Error(`${id} is gone`);
  return closingOf({ session, retriedAs: null, now: tutti.clock.wall(), paint: painter(false) }).lines.join(
    '\n',
  );
}

/** A person types to a session that listens, or to one that cannot. */
async function typed(how: Played): Promise<string> {
  await using project = new SessionProject();
  const tutti = project.open();
  const driver = how === 'good' ? { driver: 'chat' } : {};
  const { id } = await project.create(tutti, 'wait never', driver);
  let step = 0;
  const { out } = await cli(
    {
      folder: project.path,
      terminal: [80, 24],
      onOutput: (all, control) => {
        if (step === 0 && all.includes('RUNNING')) {
          step = 1;
          for (const letter of 'hello') control.press({ name: letter, sequence: letter });
          control.press({ name: 'return', sequence: '\r' });
        }
        if (step === 1 && (how === 'bad' || /taken|not sent|✕/.test(all))) {
          step = 2;
          setTimeout(() => control.signal('SIGINT'), 0);
        }
      },
    },
    'session',
    'attach',
    id,
  );
  return out;
}

async function created(how: Played): Promise<string> {
  await using project = new SessionProject();
  project.request('work');
  const agent = how === 'good' ? 'worker' : 'nobody-knows-me';
  const { out, err } = await cli(
    { folder: project.path, terminal: [100, 30] },
    'session',
    'create',
    agent,
    'task.md',
  );
  return `${out}${err}`;
}

/** git is there, or is not. */
async function examined(how: Played): Promise<string> {
  using folder = tempFolder();
  const env = how === 'good' ? {} : { PATH: join(folder.path, 'empty') };
  return (await cli({ folder: folder.path, env, stdin: '' }, 'doctor')).out;
}

/** An agent that does what the trial asks for, or says so without writing the file. */
async function tried(how: Played): Promise<string> {
  using folder = tempFolder();
  const agent = join(folder.path, 'agent.sh');
  const command = { type: 'command', command: ['sh', agent] };
  const result = `printf '{"status":"success","summary":"%s"}' "$line" > "$TUTTI_RESULT"`;
  writeProject(folder.path, {
    'agent.sh': `cat > /dev/null\n${how === 'good' ? 'cp word.txt written.txt' : ':'}\nline=$(sh run-me.sh); echo "$line"\n${result}\n`,
    'project/tutti.yaml': { driver: 'mine', drivers: { mine: command }, sandbox: 'off' },
  });
  const options = { folder: join(folder.path, 'project'), env: { HOME: folder.path }, stdin: '' };
  const { out, err } = await cli(options, 'doctor', '--try');
  return `${out}${err}`;
}

/** A plan whose first task was done, or only claimed; then what a command says. */
async function afterTask(how: Played, words: readonly string[], tasks = 3): Promise<string> {
  using project = new AgentLedProject({ tasks });
  await project.toExecuting();
  await project.done('task', 'start', 'T001', '--as', 'ada');
  const files = how === 'good' ? project.work('T001') : [];
  const claim = ['task', 'complete', 'T001', ...files.flatMap((file) => ['--created', file])];
  const claimed = await project.type(...claim, '--json');
  if (words.length === 0) return `${claimed.out}${claimed.err}`;
  const { out, err } = await project.type(...words);
  return `${out}${err}`;
}

/** Every task is done, or the one that is asked for and no other. */
async function nothingToDo(how: Played): Promise<string> {
  using project = new AgentLedProject({ tasks: 2 });
  await project.toExecuting();
  const driver = { driver: 'mine', drivers: { mine: { type: 'command', command: ['true'] } } };
  writeProject(project.path, { 'tutti.yaml': driver });
  for (const id of how === 'good' ? ['T001', 'T002'] : ['T001']) {
    await project.done('task', 'start', id, '--as', 'ada');
    const files = project.work(id).flatMap((file) => ['--created', file]);
    await project.done('task', 'complete', id, ...files);
  }
  const { out, err } = await project.type('execute', '--plan', 'shop', '--task', 'T001', '--trust');
  return `${out}${err}`;
}

/** A person approves, or an agent of a session tries to. */
async function approved(how: Played): Promise<string> {
  using project = new AgentLedProject({ tasks: 2 });
  await project.toExecuting();
  const env = how === 'good' ? {} : { TUTTI_SESSION_ID: 's' };
  const options = { folder: project.path, env: { ...project.env, ...env }, stdin: '' };
  const { out, err } = await cli(options, 'plan', 'approve');
  return `${out}${err}`;
}

function lineOf(event: Event): string {
  const line = eventLine(event);
  return line === null ? '' : `${line.glyph} ${line.text}`;
}

const note = (name: string, data: Json): string => lineOf({ type: 'note', name, data });

const baseEnd = { command: 'npm test', exitCode: 0, passed: true, durationMs: 5, timedOut: false };

export const scenes = {
  'a flow is run': scene((how) => afterFlow(how, 1)),
  'the status of a run is shown': scene((how) => afterFlow(how, 1, 'status', how)),
  'runs are listed': scene((how) => afterFlow(how, 1, 'runs')),
  'a run that is over is stopped': scene((how) => afterFlow(how, 1, 'stop', how)),
  'steps are folded on a small screen': scene((how) => afterFlow(how, 8)),
  'a session is watched to its end': scene(watched),
  'a message is typed to a session': scene(typed),
  'a session is created': scene(created),
  'the machine is examined': scene(examined),
  'a driver is tried': scene(tried),
  'a task is claimed': scene((how) => afterTask(how, [])),
  'the status of a plan is shown': scene((how) => afterTask(how, ['plan', 'status'])),
  'plans are listed': scene((how) => afterTask(how, ['plan', 'list'])),
  'a plan is landed': scene((how) => afterTask(how, ['land', '--plan', 'shop'])),
  'a plan with nothing to do is executed': scene(nothingToDo),
  'a plan is approved': scene(approved),
  'work by hand is taken over': scene(async (how) => note('taken-over', how === 'good' ? ['T001'] : [])),
  'the base of a plan is checked': scene(async (how) =>
    [note('base', { ends: how === 'good' ? [baseEnd] : [{ ...baseEnd, exitCode: 1, passed: false }] })]
      .concat(how === 'good' ? [] : [note('base', { ends: [] })])
      .join('\n'),
  ),
  'a task of a plan ends': scene(async (how) =>
    (how === 'good' ? (['done'] as const) : (['pending', 'running', 'failed', 'skipped'] as const))
      .map((state) => lineOf({ type: 'task.changed', plan: 'p', task: 'T001', state }))
      .join('\n'),
  ),
} satisfies Readonly<Record<string, Scene>>;

export type SceneName = keyof typeof scenes;
