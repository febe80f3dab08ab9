import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../src/model/outcome.ts';
import { Random } from '../simulation/random.ts';
import { testSeed } from '../rig/test-seed.ts';
import { type PayProject, plan } from './project.ts';
import { approvedPlan } from './scenarios.ts';

const undisturbed = ['T001', 'T001/verify', 'T002', 'T002/answer-1', 'T002/verify', 'T003', 'T003/verify'];

/** The sequences of `disturbed.ts` with the built program and real processes. */
const wanted = { all: 10, many: 3 }[process.env['PAY'] ?? ''] ?? 0;

describe.skipIf(wanted === 0)('sequences with real processes', () => {
  test.each(Array.from({ length: wanted }, (_, n) => testSeed + n + 1))(
    'seed %i pays for the turns of the undisturbed run',
    async (seed) => {
      const random = new Random(seed);
      using project = await approvedPlan(undefined, 3);
      project.rules({ T002: { asks: [{ text: 'Which one?' }] }, 'T002/answer-1': {} });
      const did: string[] = [];
      for (let n = 0; n < 6; n += 1) {
        const args = command(random, project);
        const { code } = await project.run(...args);
        did.push(`${args.join(' ')} (${code})`);
      }
      // Answers may have started a conductor, which advances the run beside the commands: whoever does it, it comes to its end.
      for (let n = 0; n < 20; n += 1) {
        await project.run('answer', 'Q1', 'this one');
        const { code } = await project.run('execute', '--batch', '--max-launches', '100');
        if (code === 0) break;
        if (code === exitCodeOf('HALTED')) await project.run('resume', plan, '--clear-only');
        await pause(200);
      }
      const more = project.turns().filter((turn) => !undisturbed.includes(turn));
      const told = more.map((turn) => `\n${turn} was told: ${project.prompt(turn)}`);
      expect(project.turns().toSorted(), `${did.join(', ')}${told.join('')}`).toEqual(undisturbed);
    },
  );
});

function command(random: Random, project: PayProject): readonly string[] {
  const next = random.weighted({ execute: 2, task: 4, ceiling: 4, answer: 2, halt: 1, resume: 1 });
  switch (next) {
    case 'execute':
      return ['execute', '--batch'];
    case 'task':
      return ['execute', '--batch', '--task', random.pick(['T001', 'T002', 'T003']) ?? 'T001'];
    case 'ceiling':
      return ['execute', '--batch', '--max-launches', String(project.turns().length + random.below(3))];
    case 'answer':
      return ['answer', 'Q1', 'this one'];
    case 'halt':
      return ['halt', plan];
    case 'resume':
      return ['resume', plan];
  }
}
