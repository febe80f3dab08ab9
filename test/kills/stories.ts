import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { databaseFiles } from '../../src/store/restore.ts';
import { writeFlowProject } from '../crash/flows.ts';
import { PayProject } from '../pay/project.ts';
import { startTutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import type { Random } from '../simulation/random.ts';
import { Killer, type KillableProject, type Pace } from './killer.ts';

/** Work that is killed again and again and then brought to its end. */
export interface Story {
  /** How many kills it is tried with at once. */
  readonly kills: number;
  /** Its part of all kills: stories of plans take the longest. */
  readonly share: number;
  play(killer: Killer, kills: number): Promise<readonly string[] | null>;
  make(program: string | undefined): KillableProject & Disposable;
}

const run = ['run', 'flow.yaml', '--run-id', 'r'] as const;
const resume = ['resume', 'r'] as const;
/** `resume` of a run that succeeded meanwhile, or was not recorded before its command was killed. */
const nothingToResume = 64;

function flowProject(flow: string, program: string | undefined): KillableProject & Disposable {
  const folder = tempFolder();
  const [path, home] = [join(folder.path, 'project'), join(folder.path, 'home')];
  for (const made of [path, home]) mkdirSync(made);
  writeFlowProject(path, flow);
  return {
    path,
    home,
    start: (...args) => startTutti(path, args, { HOME: home }, program),
    [Symbol.dispose]: () => {
      folder[Symbol.dispose]();
    },
  };
}

/** Notes itself by its session, of which there may be several with the same prompt. */
const sessionAgent = `cat > /dev/null
echo "$TUTTI_SESSION_ID begin" >> ledger
sleep 0.3
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
echo "$TUTTI_SESSION_ID end" >> ledger
`;

async function playFlow(killer: Killer, kills: number): Promise<null> {
  for (let n = 0; n < kills; n += 1) {
    const isKnown = killer.rows(`select 1 from runs where state <> 'ended'`).length > 0;
    if (isKnown && killer.random.chance(0.5)) await killer.kill(resume);
    else await killer.kill(run);
  }
  await killer.finish(run);
  return null;
}

function sessionIds(killer: Killer): readonly string[] {
  return killer.rows('select id from sessions order by id').map(({ id }) => String(id));
}

/** A session that a killed command recorded comes to its end; one that it did not record is asked for again. */
async function playSessions(killer: Killer, kills: number): Promise<readonly string[]> {
  const create = ['session', 'create', 'coder', 'prompt.md'];
  for (let n = 0; n < kills; n += 1) {
    const unfinished = killer.rows(`select id from runs where state <> 'ended'`);
    const [one] = unfinished;
    if (one === undefined) await killer.kill(create);
    else if (killer.random.chance(0.5)) await killer.kill(['session', 'wait', String(one['id'])]);
    else await killer.killConductor();
  }
  if (sessionIds(killer).length === 0) await killer.finish(create);
  for (const id of sessionIds(killer)) await killer.finish(['session', 'wait', id]);
  return sessionIds(killer).filter((id) => !killer.neverStarted(id));
}

/** The conductor is killed while it advances a run, and while a command waits for that run. */
async function playConductor(killer: Killer, kills: number): Promise<null> {
  const half = Math.ceil(kills / 2);
  await killer.kill([...run, '--detach']);
  for (let n = 0; n < half; n += 1) {
    await killer.finish([...run, '--detach']);
    await killer.killConductor();
  }
  await killer.finish([...run, '--detach']);
  await killer.finishWithoutConductor(resume, kills - half, [0, nothingToResume]);
  await killer.finish(run);
  return null;
}

/** The database is damaged after the command was killed, while agents still work, and `recover` is killed too. */
async function playRecovery(killer: Killer, kills: number): Promise<null> {
  if (kills > 0) await killer.kill(run);
  else await killer.finish(run);
  if (killer.rows('select 1 from runs').length > 0) {
    damage(join(killer.project.path, '.tutti', 'tutti.db'), killer.random);
    for (let n = 1; n < kills; n += 1) await killer.kill(['recover']);
    await killer.finish(['recover']);
  }
  await killer.finish(run);
  return null;
}

function damage(database: string, random: Random): void {
  const how = random.pick(['deleted', 'truncated', 'emptied', 'overwritten']);
  if (how === 'truncated') truncateSync(database, 1 + random.below(8000));
  else if (how === 'emptied') writeFileSync(database, '');
  else if (how === 'overwritten') writeFileSync(database, 'no database at all');
  for (const file of databaseFiles(database)) {
    if (how === 'deleted' || file !== database) rmSync(file, { force: true });
  }
}

/** A plan is made, approved, executed and landed, with kills in each part. */
async function playPlan(killer: Killer, kills: number): Promise<null> {
  const person = 3;
  const part = Math.ceil(kills / 4);
  const plan = ['plan', 'records.md'];
  for (let n = 0; n < part; n += 1) await killer.kill(plan, [0, person]);
  await killer.finish(plan, [person]);
  for (let n = 0; n < Math.floor(part / 2); n += 1) await killer.kill(['plan', 'approve']);
  await killer.finish(['plan', 'approve']);
  await killer.finish(plan);
  for (let n = 0; n < kills - 2 * part - Math.floor(part / 2); n += 1) {
    const isBegun =
      killer.rows(`select 1 from runs where id = 'records-execute' and state <> 'ended'`).length > 0;
    await killer.kill(isBegun && killer.random.chance(0.3) ? ['resume', 'records-execute'] : ['execute']);
  }
  await killer.finish(['execute']);
  for (let n = 0; n < part; n += 1) await killer.kill(['land']);
  await killer.finish(['land']);
  checkLanded(killer.project.path);
  return null;
}

/** Everything is in the checkout, and the repository is whole. */
function checkLanded(path: string): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: path, encoding: 'utf8' });
  git('fsck', '--strict');
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`the checkout is not as it was landed: ${changed}`);
  for (const name of ['parse', 'print']) git('cat-file', '-e', `HEAD:src/${name}.js`);
}

function planProject(program: string | undefined): KillableProject & Disposable {
  const project = new PayProject(program);
  return {
    path: project.path,
    home: join(dirname(project.path), 'home'),
    start: (...args) => project.start(...args),
    [Symbol.dispose]: () => {
      project[Symbol.dispose]();
    },
  };
}

function sessionProject(program: string | undefined): KillableProject & Disposable {
  const project = flowProject('linear', program);
  writeFileSync(join(project.path, 'agent.sh'), sessionAgent);
  writeFileSync(join(project.path, 'prompt.md'), 'Do it.\n');
  return project;
}

/** Its agents work long enough for several conductors to be killed meanwhile. */
function slowProject(program: string | undefined): KillableProject & Disposable {
  const project = flowProject('parallel', program);
  const agent = join(project.path, 'agent.sh');
  writeFileSync(agent, readFileSync(agent, 'utf8').replace('sleep 0.05', 'sleep 3'));
  return project;
}

export const stories = {
  'linear flow': { kills: 6, share: 0.2, play: playFlow, make: (program) => flowProject('linear', program) },
  'parallel flow': {
    kills: 6,
    share: 0.2,
    play: playFlow,
    make: (program) => flowProject('parallel', program),
  },
  session: { kills: 6, share: 0.15, play: playSessions, make: sessionProject },
  conductor: { kills: 6, share: 0.15, play: playConductor, make: slowProject },
  recover: { kills: 6, share: 0.15, play: playRecovery, make: (program) => flowProject('linear', program) },
  'plan and landing': { kills: 12, share: 0.15, play: playPlan, make: planProject },
} as const satisfies Readonly<Record<string, Story>>;

/** Names of everything that noted itself. */
export function namesIn(ledger: readonly string[]): readonly string[] {
  return [...new Set(ledger.map((line) => line.replace(/ (?:begin|end)$/, '')))].toSorted();
}

export interface Played {
  readonly kills: number;
  readonly evidence: Awaited<ReturnType<Killer['evidence']>>;
}

/** Plays a story once. `expected` is what an undisturbed one did; null: whatever the story says. */
export async function play(
  story: Story,
  kills: number,
  { random, pace, expected, program }: Setting,
): Promise<Played> {
  using project = story.make(program);
  const killer = new Killer(project, random, pace);
  const own = await story.play(killer, kills);
  return {
    kills: killer.kills,
    evidence: await killer.evidence(own ?? expected ?? namesIn(killer.ledger())),
  };
}

export interface Setting {
  readonly random: Random;
  readonly pace: Pace;
  readonly expected: readonly string[] | null;
  /** Another program than the built one. */
  readonly program?: string;
}
