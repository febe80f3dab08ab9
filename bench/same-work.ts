import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed } from '../test/real/install.ts';
import { type Person, personWith, shellCalls } from '../test/real/person.ts';
import type { Asked, ModelStep } from '../test/rig/model-brain.ts';
import type { Bench } from './bench.ts';
import { interleave } from './interleave.ts';
import { notMeasured, resultOf, type Rounds, type Sides } from './result.ts';
import { trustProject } from '../test/rig/trust.ts';

const about = {
  bench: 'same-work',
  subject: 'six tasks, three at a time, as a flow of Tutti on the real claude',
  floor: 'the same prompts and checks with make -j3 and claude -p',
} as const;
const answers: Sides = { ...about, name: 'answers', unit: 'answers', bar: 1 };
const tokens: Sides = { ...about, name: 'input tokens', unit: 'tokens', bar: 0.7 };
const wall: Sides = { ...about, name: 'wall time', unit: 'ms', bar: 1.15 };
const lines: Sides = { ...about, name: 'lines of YAML', floor: 'fifteen lines', unit: 'lines', bar: 1 };

const tasks = ['one', 'two', 'three', 'four', 'five', 'six'] as const;
const maxLines = 15;
const program = fileURLToPath(new URL('../bin/tutti.js', import.meta.url));

/** What conducting costs: the same prompts, the same model, the same checks, with and without Tutti. */
export const sameWorkBench: Bench = {
  name: 'same-work',
  about:
    'six tasks of real claude as a flow, against make -j3: answers, input tokens, wall time, lines of YAML',
  async run({ folder, rounds, progress }) {
    const cli = await installed('claude');
    if (!cli.ok) return [answers, tokens, wall, lines].map((sides) => notMeasured(sides, cli.why));
    await using person = await personWith('claude', cli.program, folder, worker);
    const stage = new Stage(folder, person);
    const times = await interleave(
      { subject: () => stage.asFlow(), floor: () => stage.withMake() },
      rounds,
      progress,
    );
    return [
      resultOf(answers, stage.counted('answers')),
      resultOf(tokens, stage.counted('tokens')),
      resultOf(wall, times),
      resultOf(lines, { subjects: [yamlLines()], floors: [maxLines] }),
    ];
  },
};

/** A model that looks, writes, checks and reports: four answers, and no fifth unless the prompt demands one. */
function worker({ prompt, done, tools }: Asked): ModelStep {
  const task = tasks.find((name) => prompt.includes(`${name}.txt`)) ?? 'one';
  const run = (command: string): ModelStep => ({ tools: [shellCalls.claude(command)] });
  const structured: ModelStep = {
    tools: [
      {
        name: 'StructuredOutput',
        input: {
          status: 'success',
          summary: `${task}.txt is written`,
          artifacts: [],
          notes: [],
          questions: [],
        },
      },
    ],
  };
  const steps = [
    run('ls'),
    run(`printf '%s\\n' ${task} > ${task}.txt`),
    run(`grep -q ${task} ${task}.txt`),
    tools.includes('StructuredOutput') ? structured : { text: `${task}.txt is written.` },
  ];
  return steps[Math.min(done, steps.length - 1)] ?? { text: 'done' };
}

function promptFor(task: string): string {
  return `Write ${task}.txt with the word ${task} in it, and check it with grep.`;
}

const flow = `name: same-work
concurrency: 3
steps:
${tasks
  .map(
    (task) =>
      `  - { id: ${task}, agent: coder, prompt: "${promptFor(task)}", gates: [{ command: [grep, -q, ${task}, ${task}.txt] }] }`,
  )
  .join('\n')}
`;
const config = 'driver: claude\n';

function yamlLines(): number {
  return `${flow}${config}`.trimEnd().split('\n').length;
}

const makefile = `all: ${tasks.join(' ')}
${tasks
  .map(
    (task) =>
      `${task}:\n\tprintf '%s' '${promptFor(task)}' | claude -p --output-format stream-json --verbose --permission-mode dontAsk --allowedTools Bash,Read,Edit,Write > ${task}.log\n\tgrep -q ${task} ${task}.txt`,
  )
  .join('\n')}
.PHONY: all ${tasks.join(' ')}
`;

interface Count {
  readonly answers: number;
  readonly tokens: number;
}

class Stage {
  readonly #folder: string;
  readonly #person: Person;
  readonly #counts = { subject: [] as Count[], floor: [] as Count[] };
  #round = 0;

  constructor(folder: string, person: Person) {
    this.#folder = folder;
    this.#person = person;
  }

  /** The warm-up is counted too: these figures do not depend on the machine. */
  counted(what: keyof Count): Rounds {
    const { subject, floor } = this.#counts;
    return { subjects: subject.map((count) => count[what]), floors: floor.map((count) => count[what]) };
  }

  async asFlow(): Promise<number> {
    const place = this.#place({ 'flow.yaml': flow, 'tutti.yaml': config });
    trustProject(place, this.#person.env);
    return this.#measure('subject', [process.execPath, program, 'run', 'flow.yaml'], place);
  }

  async withMake(): Promise<number> {
    const place = this.#place({ Makefile: makefile });
    return this.#measure('floor', ['make', '-s', '-j3'], place);
  }

  #place(files: Readonly<Record<string, string>>): string {
    this.#round += 1;
    const place = join(this.#folder, `round-${this.#round}`);
    mkdirSync(place);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
    return place;
  }

  async #measure(side: 'subject' | 'floor', argv: readonly string[], cwd: string): Promise<number> {
    const [before, paid] = [this.#person.prompts().length, sum(this.#person.tokens())];
    const start = performance.now();
    const { code, output } = await runToEnd(argv, cwd, this.#person.env);
    const ms = performance.now() - start;
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}\n${output}`);
    this.#counts[side].push({
      answers: this.#person.prompts().length - before,
      tokens: sum(this.#person.tokens()) - paid,
    });
    return ms;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

async function runToEnd(
  [command = '', ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, output });
    });
  });
}
