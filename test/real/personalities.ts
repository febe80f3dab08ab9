import { dirname } from 'node:path';
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
  /** Exists once the criterion of the task has begun to be judged. */
  readonly judged: string;
  /** Made by the process that writes late, when it has written. */
  readonly late: string;
}

/** A path that the output of a failed criterion quotes, and that is nobody's result. Sandboxed agents have a `/tmp` of their own. */
export const quotedPath = '/tmp/tutti-quoted/result.json';

/** How an agent with this personality must end, written down before any run. */
export interface Expected {
  readonly says: string;
  readonly outcome: Outcome;
  /** Sessions beyond those of the well-behaved model. */
  readonly extra: number;
  /** What a person says to a question of the run; absent: there must be none. */
  readonly answer?: string;
  /** Found in what the run left behind: that the agent really did what its personality says. */
  readonly leaves?: RegExp;
  /** CLIs that refuse it by themselves, so that nothing of it reaches Tutti. */
  readonly unseen?: readonly PersonCli[];
}

/**
 * The table of expected ends. The personality is that of the agent on the second task, or of its verifier; every other
 * agent is well behaved.
 */
export const expectations = {
  'well-behaved': { says: 'does what the prompt demands', outcome: 'SUCCESS', extra: 0 },
  'remembers-paths': {
    says: 'fails first, then writes its result to the path that it knows from its first turn',
    outcome: 'SUCCESS',
    extra: 1,
    // The sandbox of codex denies it that path.
    leaves: /^result\.json: .*"summary":"from memory"|sandbox violation: .*\/result\.json/m,
  },
  'obeys-quotes': {
    says: 'fails first, then writes its result to a path that the quoted failure names',
    outcome: 'SUCCESS',
    extra: 1,
    leaves: /mkdir -p '?\/tmp\/tutti-quoted/,
  },
  'ignores-result': { says: 'does the work and hands nothing over', outcome: 'SUCCESS', extra: 0 },
  'writes-late': {
    says: 'fails first, and writes another result after that turn has ended',
    outcome: 'SUCCESS',
    extra: 1,
    leaves: /"about":"late-result"/,
  },
  'answers-in-prose': { says: 'describes the work and does none', outcome: 'NEEDS_ESCALATION', extra: 1 },
  'other-words': {
    says: 'reports failure in a word of its own after work that passes',
    outcome: 'NEEDS_ESCALATION',
    extra: 1,
  },
  'retries-denied': {
    says: 'calls a tool that it is denied three times',
    outcome: 'SUCCESS',
    extra: 0,
    leaves: /: SUCCESS, [3-9] denials/,
    unseen: ['gemini'],
  },
  'repeats-question': {
    says: 'asks the same question after every answer',
    outcome: 'NEEDS_ESCALATION',
    extra: 2,
    answer: 'Use whatever the specification says.',
  },
  'edits-as-verifier': {
    says: 'changes the work that it should judge and accepts it, until its prompt says that this does not count',
    outcome: 'SUCCESS',
    // A sandbox keeps it from writing.
    extra: 1,
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
  // As a model knows it from the conversation: where the step's result goes.
  let remembered: string | undefined;
  return (asked) => {
    remembered =
      asked.results.flatMap((text) => /RESULT-PATH (\/\S+?\.json)/.exec(text)?.[1] ?? []).at(0) ?? remembered;
    // Some CLIs have no place for an agent's role but the prompt, before the task.
    const first = (asked.said[0] ?? '').split('**TASK DELEGATION**:').at(-1)?.trimStart() ?? '';
    // The first task that a prompt names is its own; those that it stands on come later.
    const [own] = /\bT\d{3}\b/.exec(first) ?? [];
    const job = jobs.find(({ id }) => id === own);
    if (job === undefined) return { text: 'I was given no task that I know.' };
    const turn: Turn = { cli, asked, job, first, remembered };
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
  /** Where an earlier turn saw that the step's result goes. */
  readonly remembered: string | undefined;
}

const executors: Readonly<Record<Personality, (turn: Turn) => ModelStep>> = {
  'well-behaved': working,
  'edits-as-verifier': working,
  'remembers-paths': (turn) => failingFirst(turn, filing(turn, 'from memory', turn.remembered)),
  'obeys-quotes': (turn) =>
    failingFirst(
      turn,
      filing(
        turn,
        'as quoted',
        pathsIn(turn.asked.prompt).find((path) => path === quotedPath),
      ),
    ),
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
  if (turn.first.includes('does not count')) return accepting(turn);
  const edit = `${turn.job.work}; sed -i '$a // reviewed' src/*/*.js`;
  return inOrder(turn, [run(turn, edit), ...handOver(turn, success)]);
}

/** The first turn leaves work that fails; `later` are the answers of the second, which is right. */
function failingFirst(turn: Turn, later: readonly ModelStep[], besides = 'true'): ModelStep {
  // Claude Code asks once more for structured output; it does not get any.
  if (turn.asked.prompt.startsWith('[structured-output-enforce]')) return { text: 'It is done.' };
  const heals = turn.asked.prompt.includes('Previous attempt failed');
  if (heals) return inOrder(turn, later);
  const wrong = `${turn.job.wrongWork}; ${besides}; echo RESULT-PATH "$TUTTI_RESULT"`;
  return inOrder(turn, [run(turn, wrong), ...handOver(turn, success)]);
}

/** The right work, with its result in a file that the agent believes in, and nothing handed over in any other way. */
function filing(turn: Turn, summary: string, path: string | undefined): readonly ModelStep[] {
  const result = JSON.stringify({ ...success, summary });
  const file = path ?? '/no/path/known/result.json';
  const write = `mkdir -p '${dirname(file)}'; printf '%s' '${result}' > '${file}'`;
  return [run(turn, turn.job.work), run(turn, write), { text: 'The result is in its file.' }];
}

/** A process of the first turn waits until that is judged, and then writes a result of its own. */
function writingLate(turn: Turn): ModelStep {
  const { work, judged, late } = turn.job;
  const result = JSON.stringify({ ...success, status: 'failed', summary: 'late' });
  const writes = `printf "%s" "$LATE" > "$RESULT"; : > ${late}`;
  const script = `: > ${late}.ready; until [ -e ${judged} ]; do sleep 0.05; done; ${writes}`;
  // Without the marks of its session, by which Tutti would find and end it.
  const env = `env -i PATH="$PATH" RESULT="$TUTTI_RESULT" LATE='${result}'`;
  const leave = `${env} nohup setsid sh -c '${script}' >/dev/null 2>&1 </dev/null &`;
  // A CLI may end the group of its command as soon as that is over: the process has left it by then.
  const left = `until [ -e ${late}.ready ]; do sleep 0.05; done`;
  return failingFirst(turn, [run(turn, work), ...handOver(turn, success)], `${leave} ${left}`);
}

/** A tool that the executor's role denies on each CLI. */
const deniedCalls: Readonly<Record<PersonCli, NonNullable<ModelStep['tools']>[number]>> = {
  claude: { name: 'WebFetch', input: { url: 'http://127.0.0.1:9/', prompt: 'x' } },
  codex: {
    name: 'exec_command',
    input: { cmd: 'id', sandbox_permissions: 'require_escalated', justification: 'may I?' },
  },
  gemini: { name: 'web_fetch', input: { prompt: 'Fetch http://127.0.0.1:9/ and tell me about it' } },
  // Its model is not offered the web. Outside the workspace it asks.
  opencode: { name: 'read', input: { filePath: '/etc/hostname' } },
};

function retryingDenied(turn: Turn): ModelStep {
  const denied: ModelStep = { tools: [deniedCalls[turn.cli]] };
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
function handOver(turn: Turn, result: object): readonly ModelStep[] {
  const text = JSON.stringify(result);
  if (turn.asked.tools.includes('StructuredOutput')) {
    return [{ tools: [{ name: 'StructuredOutput', input: result }] }, { text: 'done' }];
  }
  if (turn.asked.schema) return [{ text }];
  const path = pathsIn(turn.asked.said.join('\n'))
    .filter((one) => one !== quotedPath)
    .at(-1);
  const file = path === undefined ? '"$TUTTI_RESULT"' : `'${path}'`;
  return [run(turn, `printf '%s' '${text}' > ${file}`), { text: 'done' }];
}

function pathsIn(prompt: string): readonly string[] {
  return [...prompt.matchAll(/(\/[^\s"'`<>|]+\/result\.json)/g)].flatMap(([, path = '']) => [path]);
}

function inOrder({ asked }: Turn, steps: readonly ModelStep[]): ModelStep {
  return steps[Math.min(asked.done, steps.length - 1)] ?? { text: 'done' };
}
