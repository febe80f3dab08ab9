import { plain } from '../../../src/lib/json.ts';
import type { Completion } from '../../../src/model/entry.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { SessionStatus } from '../../../src/model/session.ts';
import { sessionKey } from '../../../src/model/session-input.ts';
import { announceEnding, recordEnd } from '../../../src/runtime/attempt-files.ts';
import { newSession } from '../../conformance/world.ts';
import { newRun } from '../../rig/engine.ts';
import { plainSpec } from '../../rig/session-spec.ts';
import { holderStates, type HolderState, type MatrixProject } from './project.ts';
import type { TrueSession } from './run-cells.ts';

/** A session that somebody asked for; its run has its id. */
export interface SessionCell {
  readonly id: string;
  readonly scene: string;
  readonly holder: HolderState;
  readonly truth: TrueSession;
  /** Whether its run is over. */
  readonly over: boolean;
}

type EndedStatus = Exclude<SessionStatus, 'CREATED' | 'RUNNING'>;
type Launcher = 'none' | 'alive' | 'exits 0' | 'exits 3' | 'killed' | 'vanished';

interface Scene {
  /** `queue`: it waits for others, and has no slot. */
  readonly slot: 'now' | 'queue';
  readonly launched: boolean;
  readonly launcher: Launcher;
  /** What a process recorded of its end. */
  readonly recorded: {
    readonly status: EndedStatus;
    readonly outcome: Outcome;
    readonly lost: boolean;
  } | null;
  /** Its run was ended too. */
  readonly over: boolean;
  readonly truth: (holder: HolderState) => TrueSession;
}

const live = (status: SessionStatus): TrueSession => ({ status, lost: false, outcome: null });
const lost: TrueSession = { status: 'FAILED', lost: true, outcome: 'FAILURE' };

const begun = { slot: 'now', launched: true, recorded: null, over: false } as const;

function recorded(status: EndedStatus, outcome: Outcome, launcher: Launcher): Scene {
  const told = { status, outcome, lost: launcher === 'vanished' };
  return { ...begun, launcher, recorded: told, over: true, truth: () => told };
}

const scenes: Readonly<Record<string, Scene>> = {
  'waits for others': {
    ...begun,
    slot: 'queue',
    launched: false,
    launcher: 'none',
    truth: () => live('CREATED'),
  },
  'was promised a slot': { ...begun, launched: false, launcher: 'none', truth: () => live('CREATED') },
  'is about to be launched': {
    ...begun,
    launcher: 'none',
    truth: (holder) => (holder === 'alive' ? live('CREATED') : lost),
  },
  works: { ...begun, launcher: 'alive', truth: () => live('RUNNING') },
  'ended well, unread': { ...begun, launcher: 'exits 0', truth: () => live('COMPLETED') },
  'ended badly, unread': { ...begun, launcher: 'exits 3', truth: () => live('FAILED') },
  'was killed, unread': { ...begun, launcher: 'killed', truth: () => live('KILLED') },
  vanished: { ...begun, launcher: 'vanished', truth: () => lost },
  'completed with success': recorded('COMPLETED', 'SUCCESS', 'exits 0'),
  'completed without a result': recorded('COMPLETED', 'FAILURE', 'exits 0'),
  failed: recorded('FAILED', 'FAILURE', 'exits 3'),
  'timed out': recorded('FAILED', 'TIMEOUT', 'exits 3'),
  'was killed': recorded('KILLED', 'INTERRUPTED', 'killed'),
  'was lost': recorded('FAILED', 'FAILURE', 'vanished'),
  'completed, and its run continues': {
    ...recorded('COMPLETED', 'FAILURE', 'exits 0'),
    over: false,
  },
};

const sessionScenes = Object.keys(scenes);

/** Every state of a session with every kind of holder of its run. */
export async function playSessions(project: MatrixProject): Promise<readonly SessionCell[]> {
  const cells: SessionCell[] = [];
  for (const [scene, how] of Object.entries(scenes)) {
    for (const holder of holderStates) {
      const id = await play(project, how, holder, `own-${sessionScenes.indexOf(scene)}-${holder}`);
      cells.push({ id, scene, holder, truth: how.truth(holder), over: how.over });
    }
  }
  return cells;
}

async function play(
  project: MatrixProject,
  scene: Scene,
  holder: HolderState,
  baseId: string,
): Promise<string> {
  const { store } = project.tutti;
  const key = sessionKey(1);
  const spec = { ...plainSpec, workspace: project.path };
  const input = plain({ spec, after: [], retryMax: 0 });
  const started = await store.startSession({
    run: newRun('unused', 'session', input, { concurrency: 1 }),
    key,
    session: { ...newSession, driver: 'mine', baseId },
    slot: scene.slot,
  });
  if (started.at !== 'started') throw new Error(started.at);
  const { id } = started;
  const fence = await project.claim(id, holder);
  if (scene.launched) {
    await store.open(fence, { key, kind: 'session', spec: plain(spec), priority: 0 });
    const session = { ...newSession, driver: 'mine', baseId };
    const ask = { tokens: 0, costUsd: 0 };
    const { launched } = await store.admit(fence, [{ key, attempt: 1, ask, session }]);
    if (launched[0]?.sessionId !== id) throw new Error(`${id} was not launched`);
  }
  if (scene.launcher !== 'none') {
    const dir = await project.launch(id, scene.launcher === 'alive' ? 'alive' : 'dead');
    await store.begin({ runId: id, key, attempt: 1 });
    const exit = (exitCode: number) => ({ exitCode, signal: null, ended: null, problem: null, reason: null });
    if (scene.launcher === 'exits 0') recordEnd(dir, exit(0));
    if (scene.launcher === 'exits 3') recordEnd(dir, exit(3));
    if (scene.launcher === 'killed') announceEnding(dir, 'killed', 'enough');
  }
  if (scene.recorded !== null) {
    const { status, outcome } = scene.recorded;
    const done: Completion = { at: 'done', outcome, value: plain({ stop: 'finished' }) };
    const usage = { inputTokens: 5, outputTokens: 2, costUsd: null };
    const completion: Completion = scene.recorded.lost ? { at: 'lost' } : done;
    await store.complete({ runId: id, key, attempt: 1 }, completion, { status, exitCode: 0, outcome, usage });
    if (scene.over)
      await store.finish(fence, {
        outcome,
        value: plain({ sessionId: id, outcome, failure: null }),
        failure: null,
      });
  }
  if (!scene.over) await project.leave(fence, holder);
  return id;
}
