import type { Asked, Brain, ModelStep } from '../rig/model-brain.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { type PersonCli, shellCalls } from './person.ts';

/** What a model with a personality knows about the task that it was given. */
export interface Job {
  readonly id: string;
  /** Shell that does the work as the task wants it. */
  readonly work: string;
  /** Shell that looks like work and fails the task's criterion. */
  readonly wrongWork: string;
}

/** How an agent with this personality must end, written down before any run. */
export interface Expected {
  readonly says: string;
  readonly outcome: Outcome;
  /** Sessions beyond those of the well-behaved model. */
  readonly extra: number;
  /** What a person says to a question of the run; absent: there must be none. */
  readonly answer?: string;
}

/**
 * The table of expected ends. The personality is that of the agent on the second task, or of its verifier; every other
 * agent is well behaved.
 */
export const expectations = {
  'well-behaved': { says: 'does what the prompt demands', outcome: 'SUCCESS', extra: 0 },
  'remembers-paths': {
    says: 'fails first, then writes its result to the path of its first prompt',
    outcome: 'SUCCESS',
    extra: 1,
  },
  'obeys-quotes': {
    says: 'fails first, then writes its result to the last path that the prompt quotes',
    outcome: 'SUCCESS',
    extra: 1,
  },
  'ignores-result': { says: 'does the work and hands nothing over', outcome: 'SUCCESS', extra: 0 },
  'writes-late': { says: 'writes its result after its turn has ended', outcome: 'SUCCESS', extra: 0 },
  'answers-in-prose': { says: 'describes the work and does none', outcome: 'NEEDS_ESCALATION', extra: 1 },
  'other-words': {
    says: 'reports failure in a word of its own after work that passes',
    outcome: 'NEEDS_ESCALATION',
    extra: 1,
  },
  'retries-denied': { says: 'calls a tool that it does not have three times', outcome: 'SUCCESS', extra: 0 },
  'repeats-question': {
    says: 'asks the same question after every answer',
    outcome: 'NEEDS_ESCALATION',
    extra: 2,
    answer: 'Use whatever the specification says.',
  },
  'edits-as-verifier': {
    says: 'changes the work that it should judge, and accepts it',
    outcome: 'SUCCESS',
    extra: 0,
  },
  'runs-formatter': {
    says: 'rewrites a file that the task does not declare',
    outcome: 'SUCCESS',
    extra: 0,
    answer: 'accept',
  },
} as const satisfies Readonly<Record<string, Expected>>;

export type Personality = keyof typeof expectations;

/** A model on that CLI: well behaved, except that the agent (or verifier) on `odd` has the personality. */
export function modelWith(
  cli: PersonCli,
  personality: Personality,
  jobs: readonly Job[],
  odd: string,
): Brain {
  return (asked) => {
    // Some CLIs have no place for an agent's role but the prompt, before the task.
    const first = (asked.said[0] ?? '').split('**TASK DELEGATION**:').at(-1)?.trimStart() ?? '';
    // The first task that a prompt names is its own; those that it stands on come later.
    const [own] = /\bT\d{3}\b/.exec(first) ?? [];
    const job = jobs.find(({ id }) => id === own);
    if (job === undefined) return { text: 'I was given no task that I know.' };
    const turn: Turn = { cli, asked, job, first };
    const verifies = first.startsWith('Verify');
    if (verifies)
      return personality === 'edits-as-verifier' && job.id === odd ? editing(turn) : accepting(turn);
    return job.id === odd ? executors[personality](turn) : working(turn);
  };
}

interface Turn {
  readonly cli: PersonCli;
  readonly asked: Asked;
  readonly job: Job;
  /** Its first prompt in this conversation. */
  readonly first: string;
}

const executors: Readonly<Record<Personality, (turn: Turn) => ModelStep>> = {
  'well-behaved': working,
  'edits-as-verifier': working,
  'remembers-paths': (turn) => failingFirst(turn, pathsIn(turn.first).at(0)),
  'obeys-quotes': (turn) => failingFirst(turn, pathsIn(turn.asked.prompt).at(-1)),
  'ignores-result': (turn) => inOrder(turn, [run(turn, turn.job.work), { text: 'Everything is done.' }]),
  'writes-late': writingLate,
  'answers-in-prose': () => ({ text: 'First I would create the files, then I would run the tests.' }),
  // Where the CLI refuses its word, it takes the nearest one that is allowed.
  'other-words': (turn) => {
    const own = handOver(turn, { ...success, status: 'FAILED' });
    const bound = turn.asked.tools.includes('StructuredOutput') || turn.asked.schema;
    const allowed = bound ? handOver(turn, { ...success, status: 'failed' }) : [];
    return inOrder(turn, [run(turn, turn.job.work), ...own.slice(0, bound ? 1 : 2), ...allowed]);
  },
  'retries-denied': retryingDenied,
  'repeats-question': asking,
  'runs-formatter': (turn) =>
    inOrder(turn, [run(turn, `${turn.job.work} && printf '\\n' >> README.md`), ...handOver(turn, success)]),
};

const success = { status: 'success', summary: 'It is done.', artifacts: [], notes: [], questions: [] };

function working(turn: Turn): ModelStep {
  return inOrder(turn, [run(turn, turn.job.work), ...handOver(turn, success)]);
}

function accepting(turn: Turn): ModelStep {
  return inOrder(turn, [run(turn, 'git status --short || true'), ...handOver(turn, success)]);
}

function editing(turn: Turn): ModelStep {
  const edit = `${turn.job.work}; sed -i '$a // reviewed' src/*/*.js`;
  return inOrder(turn, [run(turn, edit), ...handOver(turn, success)]);
}

/** The first turn leaves work that fails; the second is right and uses the path that the personality chose. */
function failingFirst(turn: Turn, path: string | undefined): ModelStep {
  const heals = turn.asked.said.length > 1 || /previous attempt|failed/i.test(afterTask(turn));
  const work = run(turn, heals ? turn.job.work : turn.job.wrongWork);
  return inOrder(turn, [work, ...handOver(turn, success, path)]);
}

/** What a prompt that repeats the task says after it. */
function afterTask({ asked }: Turn): string {
  return asked.prompt.slice(asked.prompt.lastIndexOf('\n---\n'));
}

function writingLate(turn: Turn): ModelStep {
  const path = pathsIn(turn.asked.prompt).at(-1) ?? '/dev/null';
  const result = JSON.stringify({ ...success, status: 'failed', summary: 'late' });
  const script = `setTimeout(() => require('node:fs').writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(result)}), 4000)`;
  const late = `nohup setsid node -e '${script}' >/dev/null 2>&1 </dev/null &`;
  return inOrder(turn, [run(turn, `${turn.job.work}; ${late}`), { text: 'The result will follow.' }]);
}

function retryingDenied(turn: Turn): ModelStep {
  const denied: ModelStep = {
    tools: [{ name: 'WebFetch', input: { url: 'http://127.0.0.1:9/', prompt: 'x' } }],
  };
  return inOrder(turn, [denied, denied, denied, run(turn, turn.job.work), ...handOver(turn, success)]);
}

function asking(turn: Turn): ModelStep {
  const questions = ['Which colour should the record have?'];
  const blocked = { ...success, status: 'blocked', summary: 'I need to know more.', questions };
  return inOrder(turn, [run(turn, turn.job.work), ...handOver(turn, blocked)]);
}

function run({ cli }: Turn, command: string): ModelStep {
  return { tools: [shellCalls[cli](command)] };
}

/** By the way that the turn offers: a tool of the CLI, the last answer, or the file that the prompt names. */
function handOver(
  turn: Turn,
  result: object,
  path = pathsIn(turn.asked.said.join('\n')).at(-1),
): readonly ModelStep[] {
  const text = JSON.stringify(result);
  if (turn.asked.tools.includes('StructuredOutput')) {
    return [{ tools: [{ name: 'StructuredOutput', input: result }] }, { text: 'done' }];
  }
  if (turn.asked.schema) return [{ text }];
  const file = path === undefined ? '"$TUTTI_RESULT"' : `'${path}'`;
  return [run(turn, `printf '%s' '${text}' > ${file}`), { text: 'done' }];
}

function pathsIn(prompt: string): readonly string[] {
  return [...prompt.matchAll(/(\/[^\s"'`<>|]+\/result\.json)/g)].flatMap(([, path = '']) => [path]);
}

function inOrder({ asked }: Turn, steps: readonly ModelStep[]): ModelStep {
  return steps[Math.min(asked.done, steps.length - 1)] ?? { text: 'done' };
}
