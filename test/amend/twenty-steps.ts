import { agentStep, commandStep, type Step } from './project.ts';

const chains = ['1', '2', '3', '4'] as const;

/** In each chain: an agent, a command that shows its file, an agent that reads on, a command that shows that one. */
function chain(n: string): readonly Step[] {
  return [
    agentStep(`ask-${n}`, [], `Think about part ${n}.\nSAY idea-${n}`),
    commandStep(`show-${n}`, [`ask-${n}`], `cat out/ask-${n}.txt`),
    agentStep(`build-${n}`, [`show-${n}`], `Build part ${n}.\nREAD out/ask-${n}.txt\nSAY build-${n}`),
    commandStep(`test-${n}`, [`build-${n}`], `cat out/build-${n}.txt`),
  ];
}

/** Ten agent turns and ten commands: four chains, two joins of two chains each, a summary, and a last check. */
export const twentySteps: readonly Step[] = [
  ...chains.flatMap(chain),
  commandStep('join-12', ['test-1', 'test-2'], 'cat out/build-1.txt out/build-2.txt'),
  agentStep(
    'join-34',
    ['test-3', 'test-4'],
    'Join them.\nREAD out/build-3.txt\nREAD out/build-4.txt\nSAY joined',
  ),
  agentStep('sum', ['join-12', 'join-34'], 'Sum up.\nREAD out/build-1.txt\nREAD out/join-34.txt\nSAY sum'),
  commandStep('check', ['sum'], 'cat out/sum.txt'),
];

export const allIds = twentySteps.map(({ id }) => id).toSorted();

/** The same plan with some steps written differently. */
export function edited(
  edits: Readonly<Record<string, object>>,
  steps: readonly Step[] = twentySteps,
): readonly Step[] {
  return steps.map((step) => ({ ...step, ...edits[step.id] }));
}
