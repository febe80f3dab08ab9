import { describe, expect, test } from 'vitest';
import { parsed } from '../../src/lib/json.ts';
import { until } from '../rig/attempt-rig.ts';
import { notInSuite, skipBecause } from '../rig/skip-because.ts';
import { type Kept, LostProject } from './real-project.ts';

interface Subject {
  /** Until some turns are finished, one may work, and no process advances anything. */
  begin(lost: LostProject): Promise<void>;
  /** What a person types until it is done. */
  finish(lost: LostProject): Promise<void>;
}

const run = ['run', 'flow.yaml', '--run-id', 'r'] as const;

async function succeed(lost: LostProject, ...commands: readonly (readonly string[])[]): Promise<void> {
  for (const words of commands) {
    const { code, stderr, stdout } = await lost.run(...words);
    if (code !== 0) throw new Error(`tutti ${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  }
}

const subjects: Readonly<Record<string, Subject>> = {
  'a finished flow': {
    begin: async (lost) => {
      await lost.killAt('two', ...run);
      lost.remember();
      lost.releaseAll();
      await succeed(lost, run);
    },
    finish: (lost) => succeed(lost, ['resume', 'r']).catch(() => succeed(lost, run)),
  },
  'a flow whose agent works': {
    begin: async (lost) => {
      await lost.killAt('one', ...run);
      lost.remember();
      lost.releaseAll();
      await lost.killAt('two', ...run);
    },
    finish: (lost) => succeed(lost, ['resume', 'r']),
  },
  'a session at work': {
    begin: async (lost) => {
      await succeed(lost, run);
      lost.remember();
      lost.project.hold('session');
      await succeed(lost, ['session', 'create', 'coder', 'prompt.md']);
      await until('it works', () => lost.project.turns().includes('session'));
      await lost.killHolders();
    },
    finish: async (lost) => {
      await until('it has ended', () => lost.ended().includes('session'));
      await succeed(lost, ['session', 'wait', 'last']);
    },
  },
  'a plan that is being made': {
    begin: async (lost) => {
      await lost.killAt('logical', 'plan', 'records.md', '--yes');
      lost.remember();
      lost.project.release('logical');
      await lost.killAt('definition', 'plan', 'records.md', '--yes');
    },
    finish: (lost) => succeed(lost, ['plan', 'records.md', '--yes']),
  },
  'a plan that is half executed': {
    begin: async (lost) => {
      await succeed(lost, ['plan', 'records.md', '--yes']);
      lost.remember();
      await lost.killAt('T002', 'execute');
    },
    finish: (lost) => succeed(lost, ['execute']),
  },
};

/** What a plan that is half executed still loses, because the results of its commands and landings are in the database only. */
const limits: Readonly<Record<string, { readonly again: readonly string[]; readonly named: string | null }>> =
  {
    // The verifier's turn stands on a tree that is made again.
    'a plan that is half executed, an old copy kept': { again: ['T001/verify'], named: null },
    // Without a record of the plan nothing can be executed, and so nothing is paid.
    'a plan that is half executed, nothing kept': { again: [], named: 'plan records' },
  };

const keeps: readonly Kept[] = ['everything', 'an old copy', 'nothing'];

describe('with real processes', () => {
  skipBecause(notInSuite('FAULTS'));
  for (const [name, subject] of Object.entries(subjects)) {
    for (const kept of keeps) {
      const limit = limits[`${name}, ${kept} kept`] ?? { again: [], named: null };
      const what = limit.again.length > 0 ? `only ${limit.again.join(', ')} is` : 'no finished turn is';
      test(`${name}, ${kept} kept: ${what} paid again, and what is lost is named`, async () => {
        using lost = new LostProject();
        await subject.begin(lost);
        const before = lost.ended();
        lost.lose(kept);
        const recovered = await lost.run('recover', '--json');
        lost.releaseAll();
        expect([0, 12], recovered.stderr).toContain(recovered.code);
        const { lost: losses } = parsed(recovered.stdout) as {
          readonly lost: readonly { readonly message: string }[];
        };
        expect(losses.length > 0).toBe(kept !== 'everything');
        if (limit.named === null) await subject.finish(lost);
        else expect(losses.map(({ message }) => message).join()).toContain(limit.named);
        const paid = lost.paid();
        expect(before.filter((turn) => paid[turn] !== 1)).toEqual(limit.again);
        // A turn that was at work is adopted, not launched again.
        expect(Object.keys(paid).filter((turn) => paid[turn] !== 1)).toEqual(limit.again);
      });
    }
  }
});
