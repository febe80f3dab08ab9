// The suites that are too long for `npm test`, as a table, and which of them a budget allows. `npm run test:all` runs them.

/**
 * @typedef {object} Extent
 * @property {readonly string[]} argv
 * @property {Readonly<Record<string, string>>} env
 * @property {number} minutes on two quiet cores; generous, because a budget is kept by it
 */

/**
 * @typedef {object} LongSuite
 * @property {string} name
 * @property {Extent} whole everything the suite has
 * @property {Extent} sample as much as a commit is checked with; long sweeps choose their points by `TEST_SEED`
 * @property {readonly (readonly string[])[]} oneOf arguments of which a sample takes one list, chosen by the seed; none: the sample is as it stands
 * @property {boolean} always part of every budget, however small
 */

/**
 * @typedef {object} ChosenSuite
 * @property {string} name
 * @property {readonly string[]} argv
 * @property {Readonly<Record<string, string>>} env
 * @property {number} minutes
 * @property {boolean} always
 */

/** @typedef {{chosen: readonly ChosenSuite[], leftOut: readonly string[]}} Choice */

/**
 * A sweep in vitest: `many` of its points for a commit, all of them without a budget.
 * @param {string} name
 * @param {'CRASH' | 'FAULTS' | 'HOSTILE' | 'KILLS' | 'PAY' | 'PEOPLE' | 'REPLAN' | 'TRUTH'} variable
 * @param {readonly string[]} files
 * @param {{readonly sample: number, readonly whole: number}} minutes
 * @returns {LongSuite}
 */
function sweepSuite(name, variable, files, minutes) {
  const argv = ['vitest', 'run', ...files, '--coverage.enabled=false'];
  return {
    name,
    whole: { argv, env: { [variable]: 'all' }, minutes: minutes.whole },
    sample: { argv, env: { [variable]: 'many' }, minutes: minutes.sample },
    oneOf: [],
    always: false,
  };
}

const vitest = ['vitest', 'run', '--coverage.enabled=false'];
/** Read by `test/rig/pack-program.ts`. */
const delayed = { TUTTI_TEST_STORE: 'delayed' };

const real = ['node', 'scripts/real.js'];

const longFiles = ['vitest', 'run', 'long.test', '--coverage.enabled=false'];

/** @type {readonly LongSuite[]} */
export const longSuites = [
  {
    name: 'long test files',
    whole: { argv: longFiles, env: {}, minutes: 18 },
    sample: { argv: longFiles, env: {}, minutes: 18 },
    oneOf: [],
    always: true,
  },
  {
    name: 'real CLIs, smoke set',
    whole: { argv: real, env: {}, minutes: 4 },
    sample: { argv: real, env: {}, minutes: 4 },
    oneOf: [],
    always: true,
  },
  {
    name: 'real CLIs, whole matrix',
    whole: { argv: [...real, '--all'], env: {}, minutes: 40 },
    sample: { argv: [...real, '--all'], env: {}, minutes: 6 },
    oneOf: [
      ...['claude-', 'codex', 'gemini', 'opencode'].map((cli) => [cli]),
      ...['sandbox', 'trust', 'limit', 'record', 'flow', 'answers', 'crash', 'no-key', 'only-people'].map(
        (file) => [file],
      ),
      // Longer than a sample may be with all CLIs.
      ...['claude', 'codex', 'gemini', 'opencode'].flatMap((cli) => [
        ['personalities', '-t', `^${cli} `],
        ['doctor-try', '-t', `with ${cli} `],
      ]),
      ...['claude', 'codex'].map((cli) => ['readme', '-t', `with ${cli} `]),
    ],
    always: false,
  },
  {
    name: 'real package managers',
    whole: { argv: [...real, '--all', 'projects'], env: {}, minutes: 3 },
    sample: { argv: [...real, '--all', 'projects'], env: {}, minutes: 3 },
    oneOf: [],
    always: false,
  },
  sweepSuite('forged people', 'PEOPLE', ['test/people'], { sample: 5, whole: 13 }),
  sweepSuite('crashes of flows', 'CRASH', ['test/crash/sweep.test.ts'], { sample: 5, whole: 30 }),
  sweepSuite('crashes of planning', 'CRASH', ['test/crash/sweep-plan.long.test.ts'], {
    sample: 4,
    whole: 30,
  }),
  sweepSuite('crashes of execution', 'CRASH', ['test/crash/execute.long.test.ts'], { sample: 8, whole: 90 }),
  sweepSuite('crashes of workspaces', 'CRASH', ['test/workspaces/crash.long.test.ts'], {
    sample: 3,
    whole: 10,
  }),
  sweepSuite('faults of system calls', 'FAULTS', ['test/faults/syscalls.long.test.ts'], {
    sample: 4,
    whole: 60,
  }),
  sweepSuite('hostile clones', 'HOSTILE', ['test/hostile'], { sample: 5, whole: 13 }),
  sweepSuite('stop under faults', 'FAULTS', ['test/stop'], { sample: 8, whole: 14 }),
  sweepSuite('turns paid once', 'PAY', ['test/pay'], { sample: 6, whole: 20 }),
  sweepSuite('random kills', 'KILLS', ['test/kills'], { sample: 5, whole: 18 }),
  sweepSuite('plans edited and planned again', 'REPLAN', ['test/replanning'], { sample: 5, whole: 16 }),
  sweepSuite('truth of what is shown', 'TRUTH', ['test/truth'], { sample: 4, whole: 30 }),
  sweepSuite('damaged databases', 'FAULTS', ['test/recovery'], { sample: 4, whole: 12 }),
  {
    name: 'end to end on a delayed store',
    whole: { argv: [...vitest, 'test/e2e'], env: delayed, minutes: 15 },
    sample: { argv: vitest, env: delayed, minutes: 8 },
    oneOf: ['build', 'conductor', 'de', 'hosted', 'limit', 'plan-', 'prompt', 'session', 'stop', 'un'].map(
      (start) => [`test/e2e/${start}`],
    ),
    always: false,
  },
];

/**
 * Without a budget every suite, whole. With one: what is always run, then samples in an order that the seed decides, each
 * as long as its estimate fits into the rest. The same seed and budget choose the same.
 * @param {readonly LongSuite[]} suites
 * @param {{readonly seed: number, readonly budgetMinutes: number | null}} limits
 * @returns {Choice}
 */
export function chooseSuites(suites, { seed, budgetMinutes }) {
  const env = { TEST_SEED: String(seed) };
  if (budgetMinutes === null) {
    const chosen = suites.map(({ name, whole, always }) => ({
      name,
      ...whole,
      env: { ...whole.env, ...env },
      always,
    }));
    return { chosen, leftOut: [] };
  }
  const random = randomFrom(seed);
  const shuffled = suites
    .filter(({ always }) => !always)
    .map((suite) => ({ suite, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ suite }) => suite);
  const chosen = [];
  const leftOut = [];
  let left = budgetMinutes;
  for (const { name, sample, oneOf, always } of [...suites.filter((suite) => suite.always), ...shuffled]) {
    if (!always && sample.minutes > left) {
      leftOut.push(name);
      continue;
    }
    left -= sample.minutes;
    const words = oneOf[Math.floor(random() * oneOf.length)] ?? [];
    const argv = [...sample.argv, ...words];
    chosen.push({ name, argv, env: { ...sample.env, ...env }, minutes: sample.minutes, always });
  }
  return { chosen, leftOut };
}

/**
 * A number that changes with the commit, and is the same for the same one.
 * @param {string} commit
 */
export function seedOf(commit) {
  return Number.parseInt(commit.slice(0, 7), 16) || 1;
}

/** @typedef {{passed: number, failed: number, skipped: number}} Counts */

/**
 * The closing line of a suite, in either of the two forms that ours have; null when it printed none.
 * @param {string} output
 * @returns {Counts | null}
 */
export function countsIn(output) {
  const lines = output.matchAll(
    /^(?:tests|real CLIs): (\d+) (?:passed|cells ok), (\d+) failed[,;] (\d+) (?:skipped|cells)/gm,
  );
  const last = [...lines].at(-1);
  if (last === undefined) return null;
  const [passed = 0, failed = 0, skipped = 0] = last.slice(1).map(Number);
  return { passed, failed, skipped };
}

/** @typedef {'passed' | 'failed' | 'unfinished'} Verdict */

/**
 * 3 is the code of `scripts/real.js` for a CLI that could not be installed. A suite that the budget cut off has no verdict.
 * @param {{readonly status: number | null, readonly cutOff: boolean}} end
 * @returns {Verdict}
 */
export function verdictOf({ status, cutOff }) {
  if (cutOff) return 'unfinished';
  return status === 0 || status === 3 ? 'passed' : 'failed';
}

/**
 * mulberry32, as in the simulation.
 * @param {number} seed
 * @returns {() => number} in [0, 1)
 */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
