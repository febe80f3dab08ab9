import { expect, test } from 'vitest';
import { needProgram } from '../rig/need-program.ts';
import { testSeed } from '../rig/test-seed.ts';
import { strike, undisturbed, type Calls, type Fault, type Struck } from './sweep.ts';

/** How many counts of each kind are tried, of those below: `FAULTS=many` all of them, `FAULTS=all` every count there is. */
const faultsWanted = process.env['FAULTS'];
const everything = faultsWanted === 'all';
const part = faultsWanted === 'many' ? 1 : 2;

/** call, error, lasting, how many of its counts. */
type Plan = readonly (readonly [call: string, error: string, lasting: boolean, sample: number])[];

const onDatabase: Plan = [
  ['pwrite64', 'ENOSPC', false, 8],
  ['pwrite64', 'ENOSPC', true, 8],
  ['pwrite64', 'EIO', false, 5],
  ['fsync', 'EIO', false, 5],
  ['fsync', 'ENOSPC', true, 4],
  ['ftruncate', 'ENOSPC', true, 2],
  ['openat', 'EMFILE', false, 5],
  ['openat', 'EMFILE', true, 3],
];

const onFiles: Plan = [
  ['openat', 'EMFILE', false, 10],
  ['openat', 'EMFILE', true, 5],
  ['openat', 'ENOSPC', true, 3],
  // Never lasting: Node writes to pipes of its own by the same call, and without them it is no process any more.
  ['write', 'ENOSPC', false, 7],
  ['write', 'EIO', false, 4],
  ['mkdir', 'ENOSPC', false, 5],
  ['rename', 'ENOSPC', true, 3],
];

function faultsOf(on: Fault['on'], calls: Calls, plan: Plan): readonly Fault[] {
  return plan.flatMap(([call, error, lasting, sample]) =>
    spread(calls.get(call) ?? [], Math.ceil(sample / part)).map((at) => ({ on, call, error, at, lasting })),
  );
}

/** The first, the last, and what lies evenly between; the seed moves the latter. */
function spread(counts: readonly number[], sample: number): readonly number[] {
  if (everything || counts.length <= sample) return counts;
  const step = (counts.length - 1) / Math.max(1, sample - 1);
  const moved = ((testSeed % 1000) / 1000) * step;
  const places = Array.from({ length: sample }, (_, n) =>
    n === 0 || n === sample - 1 ? n * step : (n - 1) * step + (moved || step),
  );
  return [...new Set(places.map((place) => counts[Math.round(place)] ?? 0))];
}

/** Two at a time: the machine has two cores, and each fault is a process that starts others. */
async function strikeAll(faults: readonly Fault[], whole: readonly string[]): Promise<readonly Struck[]> {
  const queue = [...faults];
  const struck: Struck[] = [];
  const worker = async () => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      struck.push(await strike(fault, whole));
    }
  };
  await Promise.all([worker(), worker()]);
  return struck;
}

function nameOf({ on, call, error, at, lasting }: Fault): string {
  return `${on}: ${call} ${error} at ${at}${lasting ? ' and after' : ''}`;
}

test(`no space, no input or output, no descriptors: one sentence, nothing lost, and it goes on afterwards`, {
  timeout: 900_000,
}, async (context) => {
  needProgram(context, 'strace');
  const whole = await undisturbed();
  const faults = [
    ...faultsOf('database', whole.database, onDatabase),
    ...faultsOf('files', whole.files, onFiles),
  ];
  const struck = await strikeAll(faults, whole.ledger);
  const hits = struck.filter(({ hit }) => hit).length;
  const bad = struck.flatMap(({ fault, problem }) =>
    problem === null ? [] : [`${nameOf(fault)}: ${problem}`],
  );
  process.stdout.write(
    `faults: ${faults.length} system calls failed (${hits} on files of .tutti), ${bad.length} problems\n${bad.map((problem) => `fault: ${problem}\n`).join('')}`,
  );
  expect(bad, bad.join('\n')).toEqual([]);
  // On a busy machine calls come in another order, and more of them are struck outside.
  expect(hits / faults.length).toBeGreaterThan(0.5);
});

test('the sweep can fail: trouble of the machine that is recorded as a result is caught', {
  timeout: 300_000,
}, async (context) => {
  needProgram(context, 'strace');
  const whole = await undisturbed();
  const counts = spread(whole.files.get('openat') ?? [], 6).slice(1, 4);
  const struck = await Promise.all(
    counts.map((at) =>
      strike(
        { on: 'files', call: 'openat', error: 'EMFILE', at, lasting: true },
        whole.ledger,
        'trouble-is-a-result',
      ),
    ),
  );
  expect(struck.some(({ problem }) => problem?.includes('not one sentence'))).toBe(true);
});
