import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { end } from '../../src/runtime/end-attempt.ts';
import { adopt, launch } from '../../src/runtime/launcher.ts';
import type { ProcessSpec } from '../../src/runtime/process-spec.ts';
import type { RecordedEnd } from '../../src/runtime/recorded-end.ts';
import { AttemptRig, untilExists } from '../rig/attempt-rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { Random } from '../simulation/random.ts';
import { canaryIsWell, corrupt, plantCanary } from './corrupt.ts';

const seeds = 700;
const files = ['started', 'exit', 'ending', 'state.head', 'state.json', 'output.log'] as const;

interface Template {
  readonly spec: ProcessSpec;
  readonly end: RecordedEnd;
}

/** One attempt that ended by itself and one that was ended, each by a real launcher that is gone since. */
async function templates(rig: AttemptRig): Promise<readonly Template[]> {
  const session = { session_id: 's1', agent: 'coder' };
  const quick = rig.spec(['sh', '-c', 'echo out; exit 3'], { session });
  const held = rig.spec(['sh', '-c', ': > "$RIG/ready"; exec sleep 300'], { session });
  const ended = launch(held);
  await untilExists(held.dir, 'ready');
  await end(held.dir, held.marker, 'not needed');
  return [
    { spec: quick, end: known(await launch(quick)) },
    { spec: held, end: known(await ended) },
  ];
}

function known(ended: RecordedEnd | 'lost'): RecordedEnd {
  if (ended === 'lost') throw new Error('a template was lost');
  return ended;
}

/** What looks right and is not: it believes what it finds. */
function naiveAdopt(dir: string): string {
  const [word, code] = readFileSync(join(dir, 'exit'), 'utf8').split(' ');
  if (word !== 'exit' || code === undefined) throw new Error('the record is torn');
  return code;
}

/** Null when the answer is one that can be stated; a sentence otherwise. */
function judge(
  answer: RecordedEnd | 'lost',
  { end: truth }: Template,
  damaged: readonly string[],
): string | null {
  const same = answer !== 'lost' && JSON.stringify(answer) === JSON.stringify(truth);
  if (!damaged.includes('exit')) return same ? null : `a recorded end became ${JSON.stringify(answer)}`;
  // Without the record: lost, or ended on purpose as announced. A bit may also have made it another valid record.
  const stated =
    answer === 'lost' || answer.ended !== null || answer.exitCode !== null || answer.signal !== null;
  return stated ? null : `nothing is stated: ${JSON.stringify(answer)}`;
}

test('700 corruptions of launcher files: every attempt gets one stated end, at once', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  plantCanary(folder.path);
  mkdirSync(join(folder.path, 'templates'));
  const rig = new AttemptRig(join(folder.path, 'templates'));
  const made = await templates(rig);
  const bad: string[] = [];
  let lost = 0;
  let misread = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = new Random(seed);
    const template = random.pick(made);
    if (template === undefined) throw new Error('there is no template');
    const dir = join(folder.path, `attempt-${seed}`);
    cpSync(template.spec.dir, dir, { recursive: true });
    const damaged = Array.from({ length: 1 + random.below(2) }, () => random.pick(files) ?? 'exit');
    const kinds = damaged.map((name) => corrupt(join(dir, name), folder.path, random));
    const what = `seed ${seed} (${damaged.map((name, n) => `${name} ${kinds[n] ?? ''}`).join(', ')})`;
    // The naive one would wait for ever at a pipe, and read a device without end: it is spared those.
    if (!kinds.includes('pipe') && !kinds.includes('link') && naiveFails(dir, template)) misread += 1;
    try {
      const answer = await adopt(dir, template.spec.marker);
      if (answer === 'lost') lost += 1;
      const problem = judge(answer, template, damaged);
      if (problem !== null) bad.push(`${what}: ${problem}`);
    } catch (error) {
      bad.push(`${what}: it threw ${String(error)}`);
    }
    rmSync(dir, { recursive: true });
  }
  process.stdout.write(
    `corrupt launcher files: ${seeds} seeds, ${bad.length} problems, ${lost} stated as lost; a naive reader fails ${misread}\n`,
  );
  expect(bad).toEqual([]);
  expect(lost).toBeGreaterThan(0);
  // The control: these corruptions bite whoever reads without care.
  expect(misread).toBeGreaterThan(50);
  expect(canaryIsWell(folder.path)).toBe(true);
  await rig.close();
});

function naiveFails(dir: string, { end: truth }: Template): boolean {
  try {
    return truth.exitCode !== null && naiveAdopt(dir) !== String(truth.exitCode);
  } catch {
    return true;
  }
}
