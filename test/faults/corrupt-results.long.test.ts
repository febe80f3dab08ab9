import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Tutti } from '../../src/app/tutti.ts';
import { recorded } from '../../src/lib/json.ts';
import type { LaunchedAttempt } from '../../src/model/ports/host.ts';
import type { TurnOutcome } from '../../src/model/turn.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { Random } from '../simulation/random.ts';
import { canaryIsWell, corrupt } from './corrupt.ts';
import { finishedRun, openProject, runFlow, writeFinishedProject } from './finished-project.ts';

const seeds = 600;
const files = ['result.json', 'result.json', 'output.log', 'session.log', 'prompt.md', 'state.json'] as const;

/** The turns of the run as a driver would find them whose predecessor died before it read them. */
async function unread(tutti: Tutti): Promise<readonly LaunchedAttempt[]> {
  return (await tutti.queries.entries(finishedRun)).flatMap(({ key, attempt, kind, spec, sessionId }) =>
    kind === 'session' ? [{ runId: finishedRun, key, attempt, kind, spec, sessionId, deadlineAt: null }] : [],
  );
}

/** Null when the turn ended in a way that can be stated. */
function judge(turn: TurnOutcome, damaged: readonly string[]): string | null {
  if (turn.outcome === 'SUCCESS') return null;
  if (!damaged.includes('result.json')) return `a good result became ${turn.outcome}`;
  return turn.failure?.message.includes('result')
    ? null
    : `no reason is given: ${turn.failure?.message ?? ''}`;
}

test('600 corruptions of what agents wrote: a good result stays, a bad one is a stated failure', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  writeFinishedProject(folder.path);
  using tutti = openProject(folder.path);
  expect(await runFlow(tutti)).toBe('SUCCESS');
  const { paths } = tutti;
  const host = await tutti.host();
  const attempts = await unread(tutti);
  const bad: string[] = [];
  let failed = 0;
  let naive = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = new Random(seed);
    const original = random.pick(attempts);
    if (original === undefined) throw new Error('the run has no session');
    const attempt = { ...original, sessionId: `copy-${seed}` };
    const dir = paths.session(attempt.sessionId);
    cpSync(paths.session(original.sessionId ?? ''), dir, { recursive: true });
    const damaged = Array.from({ length: 1 + random.below(2) }, () => random.pick(files) ?? 'result.json');
    const kinds = damaged.map((name) => corrupt(join(dir, name), folder.path, random));
    const what = `seed ${seed} (${damaged.map((name, n) => `${name} ${kinds[n] ?? ''}`).join(', ')})`;
    if (!kinds.includes('pipe') && !kinds.includes('link') && naiveFails(dir)) naive += 1;
    try {
      const { completion, session } = await host.adopt(attempt, () => undefined);
      if (completion.at !== 'done' || session?.status !== 'COMPLETED') {
        bad.push(`${what}: ${completion.at}, session ${session?.status ?? 'none'}`);
      } else {
        const turn = recorded<TurnOutcome>(completion.value);
        if (turn.outcome !== 'SUCCESS') failed += 1;
        const problem = judge(turn, damaged);
        if (problem !== null) bad.push(`${what}: ${problem}`);
      }
    } catch (error) {
      bad.push(`${what}: it threw ${String(error)}`);
    }
    rmSync(dir, { recursive: true });
  }
  process.stdout.write(
    `corrupt results: ${seeds} seeds, ${bad.length} problems, ${failed} stated failures; a naive reader throws ${naive} times\n`,
  );
  expect(bad).toEqual([]);
  expect(failed).toBeGreaterThan(0);
  expect(naive).toBeGreaterThan(50);
  expect(canaryIsWell(folder.path)).toBe(true);
});

/** The control: whoever reads without care falls over. */
function naiveFails(dir: string): boolean {
  try {
    JSON.parse(readFileSync(join(dir, 'result.json'), 'utf8'));
    return false;
  } catch {
    return true;
  }
}
