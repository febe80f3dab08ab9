import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { interleave } from './interleave.ts';
import { resultOf } from './result.ts';

const tutti = fileURLToPath(new URL('../bin/tutti.js', import.meta.url));
/** The shell's account has a grain of 10 ms: ten runs make that 2 %. */
const perBatch = 10;

/** People and shells ask for help often, and while it is printed nothing else happens. */
export const helpBench: Bench = {
  name: 'help',
  about: 'CPU of tutti --help, against bare node -e 0',
  async run({ rounds, progress }) {
    const pair = {
      subject: () => cpuMs([tutti, '--help']),
      floor: () => cpuMs(['-e', '0']),
    };
    const sides = {
      bench: 'help',
      name: 'cpu',
      subject: `tutti --help, user + system CPU, mean of ${perBatch}`,
      floor: `node -e 0, the same, mean of ${perBatch}`,
      unit: 'ms',
      bar: 1.3,
    };
    return [resultOf(sides, await interleave(pair, rounds, progress))];
  },
};

/** `times` knows what the children of a shell have used; Node knows only about itself. */
const script = `
unset NODE_EXTRA_CA_CERTS NODE_OPTIONS
n=$1
shift
while [ "$n" -gt 0 ]; do
  "$@" >/dev/null || exit 1
  n=$((n - 1))
done
times
`;

function cpuMs(args: readonly string[]): number {
  const all = [String(perBatch), process.execPath, ...args];
  const told = execFileSync('/bin/sh', ['-c', script, 'sh', ...all], { encoding: 'utf8' });
  // The second line is the children's: user, then system, as 0m0.350000s.
  const [, children = ''] = told.trim().split('\n');
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  );
  if (!(seconds > 0)) throw new Error(`cannot read the shell's account: ${told}`);
  return (seconds * 1000) / perBatch;
}
