import { mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isObject, type JsonObject, textMember } from '../../lib/json.ts';
import { formatDuration } from '../../lib/duration.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { identify, isAlive } from '../../lib/process/identity.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { EntryKind } from '../../model/entry.ts';
import type { Outcome } from '../../model/outcome.ts';
import { stepIdOf } from '../../model/key.ts';
import { startProgram, type RunningProgram } from '../../runtime/program.ts';
import { runGit } from '../../workspace/git.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { openTutti, type Environment, type Tutti } from '../tutti.ts';
import { flowFile, ledger, writeDemoProject } from './project.ts';

export interface DemoParams {
  /** Where to put it; null is a new temporary folder. */
  readonly folder: string | null;
  readonly env: Environment;
  readonly say: (line: string) => void;
  /** The program to call: bin/tutti.js. */
  readonly program: string;
}

export interface DemoEnd {
  readonly folder: string;
  readonly report: string;
}

const runId = 'demo';
const limitMs = 120_000;

/** The story: everything it says was seen to happen, by looking at the database, the ledger and the process table. */
export async function demo({
  folder: asked,
  env,
  say,
  program,
}: DemoParams): Promise<Result<DemoEnd, Refusal>> {
  const startedAt = Date.now();
  const folder = asked === null ? mkdtempSync(join(tmpdir(), 'tutti-demo-')) : resolve(asked);
  const prepared = await prepare(folder);
  if (!prepared.ok) return prepared;
  say(`A specification for a small library, and a flow of six steps: ${folder}`);
  const opened = openTutti({ folder, env, create: true });
  if (!opened.ok) return opened;
  using tutti = opened.value;
  const start = (...args: readonly string[]) =>
    startProgram({
      argv: [process.execPath, program, ...args],
      cwd: folder,
      env,
      logFile: join(folder, '.tutti', 'demo.log'),
      life: 'with-us',
    });

  const first = await start('run', flowFile, '--run-id', runId);
  say(`$ tutti run ${flowFile} --run-id ${runId}        (process ${first.pid})`);
  const teller = storyteller(tutti, say);
  if (!(await until(teller, () => atTheRightMoment(tutti)))) return stuck(folder);

  const before = await killAndLook(tutti, first, say);
  const second = await start('resume', runId);
  say(`$ tutti resume ${runId}                          (process ${second.pid})`);
  if (!(await until(teller, () => tutti.queries.openQuestions(runId).length > 0 || over(tutti))))
    return stuck(folder);
  await answerFromInbox(tutti, start, say);
  if (!(await until(teller, () => over(tutti)))) return stuck(folder);
  await Promise.race([second.exited, until(teller, () => false, 2_000)]);
  // Awaited here, because leaving closes the project.
  return await conclude(tutti, folder, before, startedAt, say, start);
}

async function prepare(folder: string): Promise<Result<null, Refusal>> {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) {
    return err(refusal('USAGE', `${folder} is not empty`, 'choose another: tutti demo --keep NEW-FOLDER'));
  }
  writeDemoProject(folder);
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...identity, 'commit', '-qm', 'Specification'],
  ]) {
    const end = await runGit(folder, args);
    if (end.exitCode !== 0)
      return err(
        refusal(
          'UNAVAILABLE',
          `git could not ${args[0] ?? ''}: ${oneLine(end.stderr)}`,
          'see what is missing: tutti doctor',
        ),
      );
  }
  return ok(null);
}

const identity = ['-c', 'user.name=tutti', '-c', 'user.email=tutti@localhost', '-c', 'commit.gpgsign=false'];

/** Some turns are finished and paid for, and at least one agent is working: the worst moment to die. */
function atTheRightMoment(tutti: Tutti): boolean {
  const sessions = tutti.queries.sessions.ofRun(runId);
  const finished = sessions.filter(({ status }) => status === 'COMPLETED').length;
  const working = sessions.some(
    ({ id, key, status }) =>
      stepIdOf(key) === 'parse/heal-1' && status === 'RUNNING' && launcherOf(tutti, id) !== null,
  );
  return finished >= 3 && working && ledgerOf(tutti).length >= 3;
}

interface Before {
  readonly turns: readonly string[];
}

async function killAndLook(
  tutti: Tutti,
  orchestrator: RunningProgram,
  say: DemoParams['say'],
): Promise<Before> {
  const turns = ledgerOf(tutti);
  orchestrator.kill();
  await orchestrator.exited;
  say(
    `✕ SIGKILL: the orchestrator (process ${orchestrator.pid}) is gone; ${turns.length} turns were finished and paid for`,
  );
  for (const { id, agent } of tutti.queries.sessions
    .ofRun(runId)
    .filter(({ status }) => status === 'RUNNING')) {
    const pid = launcherOf(tutti, id);
    const living = pid === null ? null : identify(pid);
    if (living !== null && isAlive(living))
      say(`  its agent '${agent}' works on without it: session ${id}, process ${pid ?? 0}`);
  }
  return { turns };
}

function launcherOf(tutti: Tutti, sessionId: string): number | null {
  try {
    const pid = /\d+/.exec(readFileSync(join(tutti.paths.session(sessionId), 'started'), 'utf8'))?.[0];
    return pid === undefined ? null : Number(pid);
  } catch {
    return null;
  }
}

type Start = (...args: readonly string[]) => Promise<RunningProgram>;

async function answerFromInbox(tutti: Tutti, start: Start, say: DemoParams['say']): Promise<void> {
  for (const { id, question } of tutti.queries.openQuestions(runId)) {
    const answer = question.options?.[0] ?? 'yes';
    say(`$ tutti inbox`);
    say(`  ${id} from ${question.step ?? runId}: ${question.text}`);
    say(`$ tutti answer ${id} "${answer}"`);
    const { exited } = await start('answer', id, answer);
    await exited;
  }
}

async function conclude(
  tutti: Tutti,
  folder: string,
  before: Before,
  startedAt: number,
  say: DemoParams['say'],
  start: Start,
): Promise<Result<DemoEnd, Refusal>> {
  const report = join(tutti.paths.run(runId), 'execution-report.md');
  tutti.views().update(runId);
  const state = tutti.queries.run(runId)?.state;
  if (state?.at !== 'ended' || state.outcome !== 'SUCCESS') {
    const hint = `look at it: tutti report ${runId} (in ${folder})`;
    return err(refusal('FAILURE', `the demo's run did not succeed`, hint));
  }
  const turns = ledgerOf(tutti);
  const twice = turns.filter((line, index) => turns.indexOf(line) !== index);
  const { exited } = await start('status', runId);
  await exited;
  const tests = testSummary(tutti);
  say('');
  say(`Tests of the library that was written: ${tests}`);
  say(
    `Turns played: ${turns.length}. Finished before the kill: ${before.turns.length}. Played again after it: ${twice.length}.`,
  );
  say(`Turns saved by resuming instead of starting over: ${before.turns.length}`);
  say(`Took ${formatDuration(Date.now() - startedAt)}. The whole story: ${report}`);
  if (twice.length > 0)
    return err(refusal('FAILURE', `${twice.length} turns ran twice`, `look at ${join(folder, ledger)}`));
  return ok({ folder, report });
}

/** What `node --test` counted in the verify step. */
function testSummary(tutti: Tutti): string {
  const verify = tutti.queries.entries(runId).find(({ key }) => stepIdOf(key) === 'verify');
  const tail = textMember(valueOf(tutti, verify?.key ?? '') ?? undefined, 'outputTail');
  const count = (word: string) => new RegExp(`${word} (\\d+)`).exec(tail)?.[1] ?? '?';
  return `${count('pass')} passed, ${count('fail')} failed`;
}

function ledgerOf(tutti: Tutti): string[] {
  try {
    return readFileSync(join(tutti.paths.root, ledger), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

function over(tutti: Tutti): boolean {
  return tutti.queries.run(runId)?.state.at === 'ended';
}

/** Tells what the feed tells, once. */
function storyteller(tutti: Tutti, say: DemoParams['say']): () => void {
  let seq = 0;
  return () => {
    for (const { seq: next, event } of tutti.queries.events(runId, seq)) {
      seq = next;
      if (event.type !== 'step.ended' || event.state === 'dropped') continue;
      const line = lineOf(tutti, event.key, event.kind, event.outcome);
      if (line !== null) say(`  ${line}`);
    }
  };
}

/** A turn, a command or a gate with what it found; the rest is book-keeping. */
function lineOf(tutti: Tutti, key: string, kind: EntryKind, outcome: Outcome): string | null {
  const id = stepIdOf(key);
  const value = valueOf(tutti, key);
  if (/\/gate-\d+$/.test(id))
    return `${outcome === 'SUCCESS' ? '✔' : '✕'} ${id}: ${oneLine(textMember(value ?? undefined, 'finding').replaceAll(process.execPath, 'node'), 90)}`;
  if (kind === 'session' && outcome === 'HUMAN_INPUT') return `◐ ${id}: the agent has a question`;
  if (kind === 'session')
    return `${outcome === 'SUCCESS' ? '●' : '✕'} ${id}: turn of agent ${agentOf(tutti, key)} ended`;
  return id === 'verify' ? `${outcome === 'SUCCESS' ? '✔' : '✕'} ${id}: node --test` : null;
}

function valueOf(tutti: Tutti, key: string): JsonObject | null {
  const entry = tutti.queries.entries(runId).find((one) => one.key === key);
  return entry?.state.at === 'done' && isObject(entry.state.value) ? entry.state.value : null;
}

function agentOf(tutti: Tutti, key: string): string {
  return tutti.queries.sessions.ofRun(runId).find((session) => session.key === key)?.agent ?? '';
}

async function until(tell: () => void, happened: () => boolean, ms = limitMs): Promise<boolean> {
  const end = Date.now() + ms;
  for (;;) {
    tell();
    if (happened()) return true;
    if (Date.now() > end) return false;
    await new Promise((wake) => {
      setTimeout(wake, 40);
    });
  }
}

function stuck(folder: string): Result<never, Refusal> {
  return err(refusal('TIMEOUT', 'the demo did not get on', `look at ${join(folder, '.tutti', 'demo.log')}`));
}
