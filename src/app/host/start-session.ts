import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describeOtherModel, variablesFor } from '../../drivers/cli-facts.ts';
import { packageFile } from '../../lib/package-files.ts';
import { probe } from '../../lib/probe.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { AgentDriver, TurnPlace } from '../../model/driver.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import { type ResultContract, withContract } from '../../model/result-contract.ts';
import { trustNote, type WorkspaceTrust } from '../../model/trust.ts';
import { type SessionSpec, spokenTurn } from '../../model/turn.ts';
import { childEnvironment } from '../../runtime/environment.ts';
import { launch } from '../../runtime/launcher.ts';
import type { ProcessSpec } from '../../runtime/process-spec.ts';
import { notStarted, type RecordedEnd } from '../../runtime/recorded-end.ts';
import { noteSession } from '../../runtime/session-log.ts';
import { Tmux } from '../../runtime/tmux/client.ts';
import { launchInteractive } from '../../runtime/tmux/launch-interactive.ts';
import { openPane } from '../../runtime/tmux/pane.ts';
import type { HostParts } from './host-parts.ts';
import { markOf, placeOf, timeLeftMs } from './attempt-folder.ts';
import { noteCreated, stateOf } from './session-files.ts';
import { inSandbox, tellSandbox } from './session-sandbox.ts';
import { freeResultPath, resultPath } from './step-result.ts';
import { Starting } from './starting.ts';
import { logTurnStart } from './turn-activity.ts';

export interface StartParts {
  readonly parts: HostParts;
  readonly attempt: LaunchedAttempt;
  readonly spec: SessionSpec;
  readonly driver: AgentDriver;
  readonly dir: string;
  readonly trust: WorkspaceTrust;
}

/** A turn with the path of its step's result, and the one way to hand it over. */
interface Start extends StartParts {
  readonly result: string;
  readonly contract: ResultContract;
}

/** `path`: where the turns of its step write. A driver that left the configuration binds nothing. */
export function contractOf(driver: AgentDriver | null, spec: SessionSpec, path: string): ResultContract {
  const schema = spec.handoff.host === 'interactive' ? null : (driver?.bindsResult?.(spec) ?? null);
  return schema === null ? { by: 'file', path } : { by: 'structured', schema };
}

/**
 * The turn as its agent gets it. Whether it hears the whole task or only the news, and how it hands over its result, is
 * decided at launch and is no part of what is recorded.
 */
function saidSpec({ spec, driver, contract }: Start): SessionSpec {
  const conversation = driver.resumes ? 'remembers' : 'forgets';
  const said = withContract(spokenTurn(spec, conversation), contract, conversation);
  return contract.by === 'file' ? { ...said, resultDir: dirname(contract.path) } : said;
}

/** Writes what the agent needs, starts it where it was asked to run, and follows it to its end. */
export async function startSession(given: StartParts, began: () => void): Promise<RecordedEnd | 'lost'> {
  const { dir, attempt, parts } = given;
  const result = resultPath(parts, attempt);
  await freeResultPath(parts, attempt, result);
  const start = { ...given, result, contract: contractOf(given.driver, given.spec, result) };
  const { spec } = start;
  writeFileSync(join(dir, 'prompt.md'), spec.prompt, { mode: 0o600 });
  noteCreated(dir, attempt.sessionId ?? '', spec);
  const unused = trustNote(start.driver, start.trust, relative(start.trust.repository, parts.paths.root));
  if (unused !== null) noteSession(dir, ['WARN', oneLine(unused, 1000)]);
  await tellSandbox(start.parts, attempt.runId, spec, dir);
  await tellModel(start);
  await logTurnStart(parts, attempt, spec);
  return spec.handoff.host === 'interactive' ? inPane(start, began) : headless(start, began);
}

/** Says that the model of an agent's file is not used: in the session's log, and once to those who watch the run. */
async function tellModel({ parts, attempt, spec, dir }: StartParts): Promise<void> {
  const other = describeOtherModel(parts.config, spec);
  if (other === null) return;
  const message = oneLine(other, 500);
  noteSession(dir, ['WARN', message]);
  const about = oneLine(`${spec.agent}: ${spec.model ?? ''}, ${spec.driver}`);
  await parts.store.noteOnce(attempt.runId, { type: 'session.model', about, message }, 0);
}

async function headless(start: Start, began: () => void): Promise<RecordedEnd | 'lost'> {
  const { parts, spec, driver, dir } = start;
  const plan = driver.plan(saidSpec(start), turnPlace(start));
  using starting = new Starting(parts.clock, dir, () => {
    // Whoever hears that it began may want to attach.
    if (spec.handoff.host === 'tmux') void showInPane(start).then(began, began);
    else began();
  });
  const process = await processOf(start, plan, plan.stdin);
  return await launch(
    { ...process, launcher: plan.launcher },
    {
      began: () => {
        starting.watch();
      },
    },
  );
}

async function inPane(start: Start, began: () => void): Promise<RecordedEnd | 'lost'> {
  const { parts, driver } = start;
  const plan = driver.interactive(saidSpec(start), turnPlace(start));
  if (plan === null) return notStarted(`driver ${driver.name} has no interface that reports what it does`);
  const tmux = new Tmux(parts.config.tmux, parts.env);
  return launchInteractive(await processOf(start, plan, plan.prompt), tmux, { began });
}

/** The view is nobody's truth: without it the session goes on, and its log says why there is none. */
async function showInPane({ parts, attempt, dir }: StartParts): Promise<void> {
  const id = attempt.sessionId ?? '';
  const argv = [process.execPath, packageFile('tutti'), 'session', 'attach', id, '--pane'] as const;
  const tmux = new Tmux(parts.config.tmux, parts.env);
  const opened = await openPane(tmux, { id, argv: [...argv], cwd: parts.paths.root });
  if (opened.ok) noteSession(dir, ['INFO', `tmux session started: ${opened.value}`]);
  else noteSession(dir, ['WARN', `There is no tmux view: ${opened.error}`]);
}

function turnPlace({ parts, attempt, dir, trust, contract }: Start): TurnPlace {
  return {
    sessionId: attempt.sessionId ?? '',
    sessionDir: dir,
    projectDir: parts.paths.root,
    contract,
    trust,
  };
}

type Program = Pick<ProcessSpec, 'argv' | 'env'>;

async function processOf(
  start: Start,
  { argv, env }: Program,
  stdin: string,
): Promise<Omit<ProcessSpec, 'launcher' | 'session'> & { readonly session: ReturnType<typeof stateOf> }> {
  const { parts, attempt, spec, dir } = start;
  const id = attempt.sessionId ?? '';
  const { agent, tier, turn, workspace, handoff } = spec;
  const stdinFile = join(dir, 'stdin');
  writeFileSync(stdinFile, stdin, { mode: 0o600 });
  probe('session:files');
  const createdAt = (await parts.queries.sessions.one(id))?.createdAt ?? parts.clock.wall();
  const place = { id, dir, turn, agent, tier, result: start.result };
  return {
    dir,
    marker: markOf(parts, attempt),
    argv: inSandbox(parts, spec, { id, sessionDir: dir, result: start.result }, argv),
    cwd: workspace,
    env: childEnvironment({
      parent: parts.env,
      names: variablesFor(parts.config, spec.driver, parts.env),
      extra: { ...env, ...handoff.env },
      place: await placeOf(parts, attempt, workspace, place),
    }),
    stdinFile,
    logFile: join(dir, 'output.log'),
    timeoutMs: timeLeftMs(attempt, parts.clock.wall()),
    limits: parts.config.limits,
    session: stateOf({ session: { ...attempt, id, createdAt }, spec, dir, tmux: parts.config.tmux }),
  };
}
