import { env as inherited } from 'node:process';
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, BenchParts } from './bench.ts';
import { independent, layered, type Graph } from './graphs.ts';
import { interleave } from './interleave.ts';
import { notMeasured, resultOf, type Result } from './result.ts';
import { trustProject } from '../test/rig/trust.ts';

const tutti = fileURLToPath(new URL('../bin/tutti.js', import.meta.url));
const count = 1000;
const slots = 8;

/** A thousand commands that do nothing: all that is left is what the orchestrator itself costs. */
export const stepsBench: Bench = {
  name: 'steps',
  about: '1,000 no-op command steps at 8 slots, against ninja -j8',
  async run(parts) {
    const results: Result[] = [];
    for (const [shape, graph] of Object.entries({
      independent: independent(count),
      layered: layered(count, 100, 1),
    })) {
      results.push(await measure(parts, shape, graph));
    }
    return results;
  },
};

async function measure(
  { folder, rounds, progress }: BenchParts,
  shape: string,
  graph: Graph,
): Promise<Result> {
  const sides = {
    bench: 'steps',
    name: shape,
    subject: `tutti run, ${count} × /bin/true, ${slots} slots, start-up included`,
    floor: `ninja -j${slots}, the same commands and graph`,
    unit: 'ms',
    bar: 4,
  };
  if (spawnSync('ninja', ['--version']).status !== 0) {
    return notMeasured(sides, 'ninja is not installed; on Debian: apt-get install ninja-build');
  }
  let folders = 0;
  const fresh = (): string => {
    folders += 1;
    return projectOf(join(folder, `${shape}-${folders}`), graph);
  };
  const pair = {
    floor: () => elapsed('ninja', [`-j${slots}`], fresh()),
    subject: async () => {
      const project = fresh();
      trustProject(project, inherited);
      const args = [tutti, 'run', 'flow.json', '--run-id', 'bench', '--parallel', `${slots}`, '--json'];
      const ms = await elapsed(process.execPath, args, project);
      assertAllRan(project);
      return ms;
    },
  };
  return resultOf(sides, await interleave(pair, rounds, progress));
}

function projectOf(folder: string, graph: Graph): string {
  mkdirSync(folder);
  const steps = graph.map(({ id, needs }) => ({ id, needs, command: ['/bin/true'] }));
  const builds = graph.map(({ id, needs }) => `build ${id}: noop ${needs.join(' ')}\n`);
  writeFileSync(join(folder, 'tutti.yaml'), '');
  writeFileSync(join(folder, 'flow.json'), JSON.stringify({ name: 'bench', steps }));
  writeFileSync(join(folder, 'build.ninja'), `rule noop\n  command = /bin/true\n${builds.join('')}`);
  return folder;
}

/** From the start of the process to its end, with its output in a file. */
function elapsed(program: string, args: readonly string[], cwd: string): Promise<number> {
  const output = openSync(join(cwd, 'output'), 'w');
  return new Promise<number>((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { cwd, stdio: ['ignore', output, output] });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve(performance.now() - start);
      else
        reject(
          new Error(
            `${program} ended with ${code}: ${readFileSync(join(cwd, 'output'), 'utf8').slice(-500)}`,
          ),
        );
    });
  }).finally(() => {
    closeSync(output);
  });
}

/** A time without the proof that the work was done is void. */
function assertAllRan(project: string): void {
  const ended = readFileSync(join(project, 'output'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"step.ended"') && line.includes('"SUCCESS"'));
  if (ended.length !== count) throw new Error(`${ended.length} of ${count} steps succeeded`);
}
