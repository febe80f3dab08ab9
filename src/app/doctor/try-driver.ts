import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../open-store.ts';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { slug } from '../../lib/ids.ts';
import { recorded } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { findWorkingDriver } from '../../drivers/registry.ts';
import type { Config } from '../../model/config.ts';
import type { Flow, FlowInput } from '../../model/flow.ts';
import { executorAgent } from '../../model/plan/phase.ts';
import type { TurnOutcome } from '../../model/turn.ts';
import { unknownUsage } from '../../model/usage.ts';
import { runGit } from '../../workspace/git.ts';
import { snapshotAgents } from '../agents/snapshot-agents.ts';
import { logLines } from '../host/log-file.ts';
import { pathsOf } from '../project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { advanceRun } from '../runs/advance-run.ts';
import { startPrepared } from '../runs/start-flow.ts';
import { stateFolder } from '../state-folder.ts';
import { type Place, Tutti } from '../tutti.ts';
import { signInOf } from '../agent-clis/sign-in.ts';
import { judgeTrial, type Trial, type TrialEvidence } from './judge-trial.ts';
import { answerLimits, type AnswerLimits, TrialWatch } from './trial-watch.ts';

/** A turn that needs longer than this does not work. */
const limitMs = 5 * 60_000;
const runId = 'try';
const script = 'run-me.sh';

export interface TrialListener {
  /** Listens for an interruption, which ends the agent with everything it started. */
  readonly heed: (stop: () => void) => Disposable;
  /** Called with what the agent does, every few seconds. */
  readonly tell: (line: string) => void;
  readonly limits?: AnswerLimits;
}

/**
 * One small turn with the real agent in a repository made for it: the same agent, flags, sandbox and way to hand over a
 * result as a task of a plan. What it proves is judged by what it left behind, not by what it says.
 */
export async function tryDriver(
  place: Place,
  driver: string,
  listener: TrialListener,
): Promise<Result<Trial, Refusal>> {
  const state = stateFolder(place.env);
  makePrivateFolder(state);
  const folder = mkdtempSync(join(state, 'try-'));
  try {
    const work = join(folder, 'work');
    const word = randomBytes(6).toString('hex');
    const prepared = await prepareWork(work, word);
    if (!prepared.ok) return prepared;
    const trial = await runTrial(place, driver, { folder, work, word, listener });
    if (!trial.ok || trial.value.cause === null || trial.value.log === null) return trial;
    return ok({ ...trial.value, log: keptLog(trial.value.log, state, driver) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of a trial that failed only the log stays, until the next one of the same driver: it says more than a line can. */
function keptLog(log: string, state: string, driver: string): string | null {
  if (!existsSync(log)) return null;
  const kept = join(state, `doctor-try-${slug(driver)}.log`);
  rmSync(kept, { force: true });
  copyFileSync(log, kept);
  chmodSync(kept, 0o600);
  return kept;
}

interface Scene {
  readonly folder: string;
  readonly work: string;
  readonly word: string;
  readonly listener: TrialListener;
}

async function runTrial(place: Place, driver: string, scene: Scene): Promise<Result<Trial, Refusal>> {
  const { folder, work, word, listener } = scene;
  const config = withDriver(place.config, driver);
  // The state of the trial is its own; programs and files that the configuration names stay those of the project.
  const paths = { ...pathsOf(folder), root: place.paths.root };
  const agents = snapshotAgents({ ...place, paths, config }, [executorAgent], {});
  if (!agents.ok) return agents;
  makePrivateFolder(paths.state);
  const stage = { ...place, paths, config };
  using tutti = new Tutti(stage, openStore(stage));
  const input: FlowInput = {
    flow: trialFlow,
    projectDir: work,
    agents: agents.value,
    inputDigests: {},
    sessionTimeoutMs: limitMs,
  };
  const request = { file: '', folder, runId, maxParallel: null };
  const started = await startPrepared(tutti, { flow: trialFlow, request, input });
  if (!started.ok) return started;
  using _heeded = listener.heed(() => {
    tutti.store.cancel(runId, 'tutti').catch(() => undefined);
  });
  const { tell, limits = answerLimits } = listener;
  await using watch = new TrialWatch(tutti, { runId, limits, tell });
  const advanced = await advanceRun(tutti, { runId, stay: false });
  if (!advanced.ok) return advanced;
  const { unanswered, hasStopped } = watch;
  if (advanced.value === 'INTERRUPTED' && !hasStopped) {
    const message = 'the trial was interrupted, and its agent was stopped';
    return err(refusal('INTERRUPTED', message, 'try again: tutti doctor --try'));
  }
  const session = (await tutti.queries.sessions.ofRun(runId)).at(-1) ?? null;
  const entry = (await tutti.queries.entries(runId)).find(({ kind }) => kind === 'session');
  const turn = entry?.state.at === 'done' ? recorded<TurnOutcome>(entry.state.value) : null;
  const failed = entry?.state.at === 'failed' ? entry.state.failure.message : null;
  const log = session === null ? null : join(paths.session(session.id), 'output.log');
  const evidence: TrialEvidence = {
    word,
    written: contentOf(join(work, 'written.txt')),
    ran: contentOf(join(work, 'ran.txt')),
    log: log === null ? '' : tutti.redactor.text([...logLines(log)].join('\n')),
    reportsTools: !Object.hasOwn(config.drivers, driver) || config.drivers[driver]?.type !== 'command',
    turn,
    failure: failed,
    unanswered,
    signIn: await signInOf(config, driver, place.env),
    signInAdvice: findWorkingDriver(config, driver)?.cli?.cli.signIn.advice ?? null,
  };
  return ok(
    judgeTrial(evidence, {
      driver,
      model: session?.model ?? null,
      usage: session?.usage ?? unknownUsage,
      log,
    }),
  );
}

const prompt = `This is a short test of the tools that you have. Do exactly these steps and nothing else.

1. Read the file word.txt. It holds one word.
2. Create the file written.txt that holds that word, with a tool that writes files.
3. Run this command in a shell: sh ${script}
4. Finish, and hand over your result with the status "success" and as its summary the line that the command printed. If a step
   was not possible, the status is "failed" and the summary says which step and why.
`;

const trialFlow: Flow = {
  name: 'try',
  concurrency: 1,
  budget: { launches: 1 },
  steps: [
    {
      id: 'try',
      needs: [],
      work: { kind: 'agent', agent: executorAgent, prompt },
      cwd: '.',
      inputs: [],
      gates: [],
      retryMax: 0,
      timeoutMs: limitMs,
      required: true,
      estimateMs: null,
    },
  ],
};

function withDriver(config: Config, driver: string): Config {
  const chosen = Object.hasOwn(config.agents, executorAgent) ? config.agents[executorAgent] : undefined;
  return { ...config, driver, agents: { ...config.agents, [executorAgent]: { ...chosen, driver } } };
}

/** The line that the script prints stands in no file: only a command can have made it. */
async function prepareWork(work: string, word: string): Promise<Result<null, Refusal>> {
  makePrivateFolder(work);
  writeFileSync(join(work, 'word.txt'), `${word}\n`);
  writeFileSync(
    join(work, script),
    'printf "ran-%s\\n" "$(cat word.txt)"\nprintf "ran-%s\\n" "$(cat word.txt)" > ran.txt\n',
  );
  const identity = [
    '-c',
    'user.name=tutti',
    '-c',
    'user.email=tutti@localhost',
    '-c',
    'commit.gpgsign=false',
  ];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...identity, 'commit', '-qm', 'Begin'],
  ]) {
    const end = await runGit(work, args);
    if (end.exitCode === 0) continue;
    const message = `git could not prepare ${work}: ${oneLine(end.stderr)}`;
    return err(refusal('UNAVAILABLE', message, 'check that git works there: git --version, df -h'));
  }
  return ok(null);
}

function contentOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').slice(0, 1000) : '';
}
