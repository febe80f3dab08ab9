import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { MachineTrouble, tellsMachineTrouble } from '../../lib/machine-trouble.ts';
import { programFile } from '../../lib/package-files.ts';
import { monotonicMs } from '../../lib/process/monotonic.ts';
import { untypable } from '../../model/typed-text.ts';
import { readText } from '../../lib/read-text.ts';
import { declareLost, fileOf, files, recordEnd } from '../attempt-files.ts';
import { settle } from '../follow.ts';
import { writeRelaySpec } from '../session-relay-spec.ts';
import { planLimits } from '../limits/plan.ts';
import { markerVariable, type ProcessSpec } from '../process-spec.ts';
import { notStarted, type RecordedEnd } from '../recorded-end.ts';
import { prepareState, type SessionStateFile } from '../session-state.ts';
import type { Tmux } from './client.ts';
import { offerHandover } from './handover.ts';
import { type TypistTimes, typistTimes } from './typist.ts';

/** `stdinFile` holds what is typed into the interface once it is ready; null leaves the beginning to a person. */
export type InteractiveSpec = Omit<ProcessSpec, 'launcher' | 'session'> & {
  readonly session: SessionStateFile;
};

export interface InteractiveOptions {
  /** Called when it runs, before its end. */
  readonly began?: () => void;
  readonly times?: TypistTimes;
}

const patienceMs = 30_000;
const pollMs = 20;
const maxPromptBytes = 16 * 1024 * 1024;

/** `launch` for an interface in a pane: the same files, so `adopt` and `end` need not know the difference. */
export async function launchInteractive(
  spec: InteractiveSpec,
  tmux: Tmux,
  options: InteractiveOptions = {},
): Promise<RecordedEnd | 'lost'> {
  if (!existsSync(fileOf(spec.dir, files.started))) {
    const problem = await openTerminal(spec, tmux, options.times ?? typistTimes).catch(String);
    if (problem !== null && tellsMachineTrouble(problem)) throw new MachineTrouble(spec.dir, problem);
    if (problem !== null && declareLost(spec.dir)) recordEnd(spec.dir, notStarted(problem));
  }
  // It outlives us, as a headless one does: the process that advances a run stays for the run.
  return settle(spec.dir, spec.marker, { began: options.began, keepsAwake: false });
}

/** Resolves when the terminal relay has said that it started; with a sentence when it has not. */
async function openTerminal(spec: InteractiveSpec, tmux: Tmux, times: TypistTimes): Promise<string | null> {
  const problem = (await tmux.problem()) ?? promptProblem(spec.stdinFile);
  if (problem !== null) return problem;
  const plan = planLimits(spec.dir, spec.marker, spec.limits);
  prepareState(spec.dir, { ...spec.session, limits: { ...plan.achieved } });
  writeRelaySpec({ ...spec, launcher: 'host' }, plan);
  const pane = tmux.nameOf(spec.session.session_id);
  const env = { ...spec.env, [markerVariable]: spec.marker };
  using offer = await offerHandover({ env, tmux: tmux.config, tmuxEnv: tmux.env, pane, times });
  const opened = await tmux.newSession({
    name: pane,
    argv: [process.execPath, programFile('terminal-relay'), spec.dir, offer.address],
    cwd: '/',
    marks: { [markerVariable]: spec.marker },
  });
  return opened.ok ? await started(spec.dir, tmux, pane) : opened.error;
}

async function started(dir: string, tmux: Tmux, pane: string): Promise<string | null> {
  const deadline = monotonicMs() + patienceMs;
  while (!existsSync(fileOf(dir, files.started))) {
    if (monotonicMs() > deadline) {
      await tmux.kill(pane);
      return 'the terminal relay did not start in its pane';
    }
    await pause(pollMs);
    if (!(await tmux.has(pane)) && !existsSync(fileOf(dir, files.started))) {
      return 'the pane was closed before anything was started in it';
    }
  }
  return null;
}

function promptProblem(file: string | null): string | null {
  if (file === null) return null;
  const text = readText(file, { maxBytes: maxPromptBytes, links: 'refuse' });
  if (!text.ok) return `${file} ${text.error.message}`;
  const cannot = text.value === '' ? null : untypable(text.value);
  return cannot === null ? null : `the prompt cannot be typed: ${cannot}; run it headless, or change it`;
}
