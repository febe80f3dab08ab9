import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env as inherited } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { interleave } from './interleave.ts';
import { resultOf } from './result.ts';

const tutti = fileURLToPath(new URL('../bin/tutti.js', import.meta.url));
/** The shell's account has a grain of 10 ms: ten runs make that 2 %. */
const perBatch = 10;

const flow = `name: tiny
steps:
  - {id: first, command: ['true']}
  - {id: second, needs: [first], command: ['true']}
`;

/** What people, shells and agents call many times an hour, with the most that each may cost. */
const commands: readonly (readonly [command: string, bar: number])[] = [
  ['--help', 1.3],
  ['--version', 1.3],
  ['status', 3.5],
  ['inbox', 3.5],
  ['session list', 3.5],
  ['check-halt', 3.5],
  ['runs', 3.5],
  ['events', 3.5],
  ['plan status', 3.5],
  ['task list', 3.5],
  ['costs', 3.5],
];

/** Commands that look are called most often, and mostly load code. In a project with three finished runs. */
export const startUpBench: Bench = {
  name: 'start-up',
  about: 'CPU of help and of commands that only look, against bare node -e 0',
  async run({ rounds, folder, progress }) {
    writeFileSync(join(folder, 'flow.yaml'), flow);
    // Its own home: neither settings nor trust of the person who measures.
    const env = { PATH: inherited['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder };
    execFileSync('git', ['init', '-q'], { cwd: folder, env });
    for (const id of ['one', 'two', 'three']) {
      const args = [tutti, 'run', 'flow.yaml', '--trust', '--run-id', id];
      execFileSync(process.execPath, args, { cwd: folder, env, stdio: 'ignore' });
    }
    const results = [];
    for (const [command, bar] of commands) {
      const pair = {
        subject: () => cpuMs([tutti, ...command.split(' ')], folder, env),
        floor: () => cpuMs(['-e', '0'], folder, env),
      };
      const sides = {
        bench: 'start-up',
        name: command,
        subject: `tutti ${command}, user + system CPU, mean of ${perBatch}`,
        floor: `node -e 0, the same, mean of ${perBatch}`,
        unit: 'ms',
        bar,
      };
      results.push(resultOf(sides, await interleave(pair, rounds, progress)));
    }
    return results;
  },
};

/** `times` knows what the children of a shell have used; Node knows only about itself. An exit code may be an answer. */
const script = `
n=$1
shift
while [ "$n" -gt 0 ]; do
  "$@" >/dev/null 2>&1
  n=$((n - 1))
done
times
`;

function cpuMs(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): number {
  const all = [String(perBatch), process.execPath, ...args];
  const told = execFileSync('/bin/sh', ['-c', script, 'sh', ...all], { encoding: 'utf8', cwd, env });
  // The second line is the children's: user, then system, as 0m0.350000s.
  const [, children = ''] = told.trim().split('\n');
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  );
  if (!(seconds > 0)) throw new Error(`cannot read the shell's account: ${told}`);
  return (seconds * 1000) / perBatch;
}
