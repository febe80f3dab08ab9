import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { plain, recorded } from '../../lib/json.ts';
import { probe } from '../../lib/probe.ts';
import { redactedLines } from '../../lib/redact-lines.ts';
import { ok } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { assembleTurn } from '../../drivers/assemble-turn.ts';
import { findModel, findModelSetting } from '../../drivers/cli-facts.ts';
import { readyDriver } from '../../drivers/registry.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { priceOf } from '../../model/price-lookup.ts';
import type { AttemptEnd, LaunchedAttempt } from '../../model/ports/host.ts';
import type { SessionSpec, TurnOutcome } from '../../model/turn.ts';
import { writableFolders } from '../../model/turn-tools.ts';
import { unknownUsage } from '../../model/usage.ts';
import { endRecordedAt, lastHeardAt, startRecordedAt } from '../../runtime/attempt-files.ts';
import { adopt } from '../../runtime/launcher.ts';
import { noteSession } from '../../runtime/session-log.ts';
import type { RecordedEnd } from '../../runtime/recorded-end.ts';
import { findSandboxProblem } from '../agents/agent-sandbox.ts';
import { untrustedFile } from '../config/driver-files.ts';
import { distrustOf } from '../trust/distrust.ts';
import { workspaceTrust } from '../trust/workspace-trust.ts';
import type { HostParts } from './host-parts.ts';
import { keepHandedOver } from './handed-over.ts';
import { describeOverwritten, findOverwritten, planDirOf, watchPlanFiles } from './overwritten-edits.ts';
import { describeMove, putAsideNew } from './put-aside.ts';
import { keeperOf, viewBefore } from './keep-turn.ts';
import { logLines } from './log-file.ts';
import { type AttemptTurn, continueLost, foundNothing } from './lost-attempt.ts';
import { ownUsage } from './own-usage.ts';
import { folderOf, markOf, withCutOff } from './attempt-folder.ts';
import { driverOfSession, logReaderOf, tellsTools } from './reader.ts';
import { readSessionResult } from './session-result.ts';
import { endOfState } from './session-files.ts';
import { watchRequests } from './request-watch.ts';
import { refusedKeyAdvice } from '../agent-clis/sign-in.ts';
import { SignInWatch } from './sign-in-watch.ts';
import { contractOf, startSession } from './start-session.ts';
import { folderOfStep } from './step-folder.ts';
import { keepRead, resultPath, takeResult } from './step-result.ts';
import { logTurnEnd } from './turn-activity.ts';
import { recordTurn } from './turn-record.ts';
import { reachedTimeCeiling } from './wall-ceiling.ts';

/** One agent turn: write what it needs, run it, read what it left. Reading again gives the same. */
export async function runSession(
  parts: HostParts,
  attempt: LaunchedAttempt,
  how: 'launch' | 'adopt',
  began: () => void,
): Promise<AttemptEnd> {
  const { spec, recovered } = await continueLost(parts, attempt, recorded<SessionSpec>(attempt.spec));
  if (recovered !== null && how === 'launch') {
    await parts.store.continueSession(attempt.sessionId ?? '', recovered.session);
  }
  const found = await ended(parts, attempt, spec, how, began);
  if (found !== 'lost' && 'outcome' in found) return refused(found);
  const end = await withCutOff(parts, attempt, folderOf(parts, attempt), found);
  await tellPutAside(parts, attempt);
  await tellOverwritten(parts, attempt, spec);
  probe('session:ended');
  if (end === 'lost') return lostAttempt(folderOf(parts, attempt));
  return read(parts, attempt, { spec, recovered }, folderOf(parts, attempt), end);
}

/** Before anything else looks at what the turn left. */
async function tellPutAside(parts: HostParts, attempt: LaunchedAttempt): Promise<void> {
  const moves = putAsideNew(folderOf(parts, attempt));
  if (moves.length === 0) return;
  const session = attempt.sessionId ?? '';
  const message = oneLine(moves.map(describeMove).join('. '), 1000);
  const event = { type: 'session.warned', session, about: 'put-aside', message } as const;
  await parts.store.noteOnce(attempt.runId, event, 0);
}

/** What a person edited while an agent of planning wrote over it. */
async function tellOverwritten(parts: HostParts, attempt: LaunchedAttempt, spec: SessionSpec): Promise<void> {
  const dir = folderOf(parts, attempt);
  const place = { planDir: planDirOf(spec) ?? '', sessionDir: dir, agent: spec.agent };
  const message = describeOverwritten(findOverwritten(spec, dir), place);
  if (message === null) return;
  noteSession(dir, ['WARN', message]);
  const session = attempt.sessionId ?? '';
  const event = { type: 'session.warned', session, about: 'overwritten', message } as const;
  await parts.store.noteOnce(attempt.runId, event, 0);
}

function lostAttempt(dir: string): AttemptEnd {
  const startedAt = startRecordedAt(dir);
  const times =
    startedAt === null ? {} : { startedAt, endedAt: endRecordedAt(dir) ?? lastHeardAt(dir) ?? startedAt };
  return {
    completion: { at: 'lost' },
    session: { status: 'FAILED', exitCode: null, outcome: 'FAILURE', usage: unknownUsage, ...times },
  };
}

/** Starts it or takes it up, and follows it to its end; a failure: it was not started. */
async function ended(
  parts: HostParts,
  attempt: LaunchedAttempt,
  given: SessionSpec,
  how: 'launch' | 'adopt',
  began: () => void,
): Promise<RecordedEnd | 'lost' | Failure> {
  const folder =
    how === 'launch' ? await folderOfStep(parts, attempt.runId, given.workspace) : ok(given.workspace);
  if (!folder.ok) return failure('unavailable', folder.error);
  const spec = { ...given, workspace: folder.value };
  const paths = { projectDir: parts.paths.root, searchPath: parts.env['PATH'] ?? '' };
  const dir = folderOf(parts, attempt);
  await using _requests = watchRequests(parts, attempt.sessionId ?? '', spec);
  await using _signIn = watchSignIn(parts, attempt, spec, dir);
  if (how === 'launch') {
    if (!existsSync(spec.workspace))
      return failure(
        'unavailable',
        `${spec.workspace}, where agent ${spec.agent} should work, does not exist`,
      );
    const driver = readyDriver(spec.driver, parts.config, paths);
    if (!driver.ok) return driver.error;
    const foreign = untrustedFile(parts.config, spec.driver, parts.paths.root, parts.trust);
    if (foreign !== null) {
      return failure('unavailable', `${foreign} is not trusted as it is now: look at it, then: tutti trust`);
    }
    // Asked for and not there: nothing runs, rather than without it.
    const shelter = findSandboxProblem(parts, spec);
    if (shelter !== null) return failure('unavailable', shelter);
    const trust = workspaceTrust(spec.workspace, parts);
    const distrust = await distrustOf(spec.driver, driver.value, trust, parts.env);
    if (distrust !== null) return failure('unavailable', distrust);
    makePrivateFolder(dir);
    await recordTurn(parts, attempt);
    probe('session:folder');
    await viewBefore(driver.value, spec, dir);
    using _edits = watchPlanFiles(spec, dir);
    return await startSession({ parts, attempt, spec, driver: driver.value, dir, trust }, began);
  }
  makePrivateFolder(dir);
  using _edits = watchPlanFiles(spec, dir);
  return await adopt(dir, markOf(parts, attempt), began);
}

/** Null where a person sits before the CLI's own interface, and can sign in there. */
function watchSignIn(
  parts: HostParts,
  attempt: LaunchedAttempt,
  { driver, handoff: { host } }: SessionSpec,
  dir: string,
): SignInWatch | null {
  if (host === 'interactive') return null;
  const newReader = () => logReaderOf(parts, { driver, host });
  return new SignInWatch({ dir, marker: markOf(parts, attempt), newReader, clock: parts.clock });
}

/** Redacted before anything is cut out of it: the half of a secret is not recognized any more. */
async function read(
  parts: HostParts,
  attempt: LaunchedAttempt,
  { spec, recovered }: AttemptTurn,
  dir: string,
  end: RecordedEnd,
): Promise<AttemptEnd> {
  const { config, redactor } = parts;
  const advice = await refusedKeyAdvice(config, spec.driver, parts.env);
  const keeper = keeperOf(parts, spec);
  const newReader = () => logReaderOf(parts, { driver: spec.driver, host: spec.handoff.host });
  keepHandedOver(dir, newReader());
  const told = resultPath(parts, attempt);
  takeResult(dir, told);
  const reader = await ownUsage(parts, spec, newReader());
  const model = findModel(config, spec);
  const driver = driverOfSession(parts, spec);
  const turn = assembleTurn({
    spec,
    sessionId: attempt.sessionId ?? '',
    end,
    lines: redactedLines(logLines(join(dir, 'output.log')), redactor),
    reader: keeper?.listening(reader) ?? reader,
    tellsTools: tellsTools(parts, { driver: spec.driver, host: spec.handoff.host }),
    signInAdvice: advice ?? driver?.signInAdvice,
    permissionSetting: driver?.permissionSetting,
    model: { name: model, setting: findModelSetting(config, spec) },
    folders: { workspace: spec.workspace, writable: writableFolders(spec, dir) },
    result: redactor.json(readSessionResult(join(dir, 'result.json'), spec, contractOf(driver, spec, told))),
    price: priceOf(config, model),
    timeCeiling:
      end.ended === 'timeout' ? await reachedTimeCeiling(parts, attempt, endRecordedAt(dir)) : null,
  });
  await keeper?.keep({ attempt, spec, dir, end, turn });
  // With its end recorded, it is not lost for the next attempt, which starts over.
  if (recovered !== null && foundNothing(turn)) return lostAttempt(dir);
  const [startedAt, endedAt] = [startRecordedAt(dir), endRecordedAt(dir)];
  const session = {
    ...endOfState(dir, end, turn),
    model,
    ...(startedAt === null ? {} : { startedAt }),
    ...(endedAt === null ? {} : { endedAt }),
  };
  const resultDigest = keepRead(dir);
  await logTurnEnd(parts, attempt, spec, turn);
  return {
    completion: {
      at: 'done',
      outcome: turn.outcome,
      value: plain({ ...withRecovery(turn, recovered), resultDigest }),
    },
    session,
  };
}

function withRecovery(turn: TurnOutcome, recovered: AttemptTurn['recovered']): TurnOutcome {
  return recovered === null ? turn : { ...turn, recovered };
}

function refused(why: Failure): AttemptEnd {
  return {
    completion: { at: 'failed', failure: why },
    session: { status: 'FAILED', exitCode: null, outcome: why.outcome, usage: unknownUsage },
  };
}
