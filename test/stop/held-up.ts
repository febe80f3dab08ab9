import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { ledger, until, writeShellProject } from '../e2e/project.ts';
import { PayProject, plan } from '../pay/project.ts';
import { type ProgramEnd, startTutti, writeProject } from '../rig/program.ts';

export interface HeldUp {
  /** Which process had the run while its command stood still: the one that started it, or the conductor. */
  readonly holder: 'command' | 'conductor';
  /** How the command ended once it could go on. */
  readonly end: ProgramEnd;
}

/** Each of them leaves a run at work until the project is released. */
const maxTries = 6;
const answerMs = 10_000;
/** Every try of a plan has a project of its own, and leaves nothing behind. */
const maxProjects = 25;

/**
 * A command that the system holds up just after it recorded its run, while a conductor is awake. A try that misses the
 * moment, because the command has its claim already, is repeated with another run.
 */
export async function holdUpCommand(folder: string, program?: string): Promise<HeldUp> {
  const slow = { name: 'slow', steps: [{ id: 'slow', agent: 'coder', prompt: 'slow' }] };
  writeShellProject(folder, slow, { max_sessions: 20 });
  const held = { name: 'held', steps: [{ id: 'slow-held', agent: 'coder', prompt: 'slow' }] };
  writeProject(folder, { 'held.yaml': held });
  await startSlow(folder, 'first', program);
  for (let n = 1; n <= maxTries; n += 1) {
    const command = startTutti(folder, ['run', 'held.yaml', '--run-id', `r${n}`], {}, program);
    using database = new DatabaseSync(join(folder, '.tutti', 'tutti.db'), { timeout: 0 });
    const run = database.prepare('select epoch from runs where id = ?');
    while (run.get(`r${n}`) === undefined && command.child.exitCode === null) await turn();
    command.child.kill('SIGSTOP');
    if (run.get(`r${n}`)?.['epoch'] !== 0 || isLocked(database)) {
      command.child.kill('SIGCONT');
      continue;
    }
    // The conductor has looked for work since then: it took up a run that was recorded later.
    await startSlow(folder, `slow-${n}`, program);
    const { holder, epoch } =
      database
        .prepare(
          'select h.pid as holder, r.epoch from runs r left join holders h on h.id = r.holder where r.id = ?',
        )
        .get(`r${n}`) ?? {};
    command.child.kill('SIGCONT');
    // One that does not have its run says so at once; one that has it works until it is let go.
    await Promise.race([command.ended, pause(answerMs)]);
    writeFileSync(join(folder, 'go'), '');
    const end = await command.ended;
    return { holder: epoch === 0 && holder === command.child.pid ? 'command' : 'conductor', end };
  }
  throw new Error(`the command claimed its run too quickly, ${maxTries} times`);
}

/** A command that stands still inside a transaction holds up everybody, and shows nothing about claims. */
function isLocked(database: DatabaseSync): boolean {
  try {
    database.exec('begin immediate; rollback');
    return false;
  } catch {
    return true;
  }
}

/** A run that the conductor advances now, until the file `go` is there. */
async function startSlow(folder: string, runId: string, program?: string): Promise<void> {
  const before = ledger(folder).length;
  const { code, stderr } = await startTutti(
    folder,
    ['run', 'flow.yaml', '--run-id', runId, '--detach'],
    {},
    program,
  ).ended;
  if (code !== 0) throw new Error(stderr);
  await until(`${runId} works`, () => ledger(folder).length > before);
}

/** A command that works until the file `go` is there, and says that it began. */
function slowFlow(began: string): string {
  const script = `: > ${began}; while [ ! -e go ]; do sleep 0.05; done`;
  return stringify({ name: began, steps: [{ id: 'slow', command: ['sh', '-c', script] }] });
}

/**
 * `tutti plan SPEC --yes && tutti execute` while a conductor is awake; the system holds up `execute` just after it recorded
 * its run. A try that misses the moment is repeated with another project.
 */
export async function holdUpExecute(program?: string): Promise<HeldUp> {
  for (let n = 1; n <= maxProjects; n += 1) {
    using project = new PayProject(program);
    const slow = async (name: string): Promise<void> => {
      project.write(`${name}.yaml`, slowFlow(name));
      await project.run('run', `${name}.yaml`, '--run-id', name, '--detach');
      await until(`${name} works`, () => existsSync(join(project.path, name)));
    };
    try {
      await slow('first');
      const planned = await project.run('plan', 'records.md', '--yes');
      if (planned.code !== 0) throw new Error(planned.stderr);
      const held = await heldUp(project, () => slow('second'));
      if (held !== null) return held;
    } finally {
      project.write('go', '');
      await project.run('stop', '--all');
    }
  }
  throw new Error(`the command claimed its run too quickly, ${maxProjects} times`);
}

/** Null: the command had its claim already. */
async function heldUp(project: PayProject, look: () => Promise<void>): Promise<HeldUp | null> {
  const command = project.start('execute', '--batch');
  using database = new DatabaseSync(join(project.path, '.tutti', 'tutti.db'), { timeout: 0 });
  const run = database.prepare('select epoch from runs where id = ?');
  const epoch = () => run.get(`${plan}-execute`)?.['epoch'];
  while (epoch() === undefined && command.child.exitCode === null) await turn();
  command.child.kill('SIGSTOP');
  const isMissed = epoch() !== 0 || isLocked(database);
  if (isMissed) {
    command.child.kill('SIGKILL');
    await command.ended;
    return null;
  }
  // The conductor has looked for work since then: it took up a run that was recorded later.
  await look();
  const holder = epoch() === 0 ? 'command' : 'conductor';
  command.child.kill('SIGCONT');
  return { holder, end: await command.ended };
}
