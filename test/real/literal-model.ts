import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { spec } from '../../src/app/example/spec.ts';
import { capabilityMap, physicalMap, pieces, taskId, tasks } from '../../src/app/example/plan.ts';
import { shellWord } from '../../src/lib/shell-word.ts';
import type { Asked, ModelStep } from '../rig/model-brain.ts';
import { cliTools } from './cli-tools.ts';

/*
 * A model of claude that does what its prompt demands, one tool call for each answer, and nothing more. The work of a turn depends on
 * the task alone. Everything else (a line for the log, a check of what was written, a file for the result) is done only if the
 * prompt or the role demands it, so two programs that give the same task differ by what their words cost.
 */

type Call = NonNullable<ModelStep['tools']>[number];
type Piece = (typeof pieces)[number];

const { read, write, shell } = cliTools.claude;

export function literalModel({ prompt, said, system, done, tools }: Asked): ModelStep {
  const all = [system, ...said].join('\n');
  const calls = [
    ...logLine(prompt, 'start'),
    ...workCalls(prompt),
    ...demandedChecks(prompt),
    ...logLine(prompt, 'complete'),
    ...resultFile(all),
  ];
  const call = calls[done] ?? (tools.includes('StructuredOutput') ? structuredOutput(done, calls) : null);
  return call === null ? { text: 'Done.' } : { tools: [call] };
}

/** Answers that the work of the turn with this prompt needs, whatever else the prompt demands. */
export function workAnswers(prompt: string): number {
  return workCalls(prompt).length;
}

/** What kind of turn begins with this prompt. */
export function turnKind(prompt: string): string {
  return kindOf(prompt).name;
}

const result = { status: 'success', summary: 'It is done.', artifacts: [], notes: [], questions: [] };

function structuredOutput(done: number, calls: readonly Call[]): Call | null {
  return done > calls.length ? null : { name: 'StructuredOutput', input: result };
}

/** The shell knows the path, so the model need not ask for it first. */
function resultFile(all: string): readonly Call[] {
  const text = shellWord(JSON.stringify(result));
  if (all.includes('environment variable TUTTI_RESULT')) {
    return [shell(`printf '%s' ${text} > "$TUTTI_RESULT"`)];
  }
  const path = /to this path[^\n]*\n(\/\S+\.json)/.exec(all)?.[1];
  return path === undefined ? [] : [shell(`printf '%s' ${text} > ${shellWord(path)}`)];
}

function logLine(prompt: string, word: 'start' | 'complete'): readonly Call[] {
  const line = new RegExp(`^tutti log INFO \\S+ ${word} ".*"$`, 'm').exec(prompt)?.[0];
  return line === undefined ? [] : [shell(line)];
}

/** Commands that the numbered list of a prompt wants to be run. What it says twice is done once. */
function demandedChecks(prompt: string): readonly Call[] {
  const lines = prompt.matchAll(
    /^\d+\. (?:\*\*Verify the files? exists?\*\*|Validate with|Load the tasks with|Run): `([^`]+)`/gm,
  );
  return [...lines].map(([, command = '']) => shell(command));
}

interface Kind {
  readonly name: string;
  readonly begins: RegExp;
  readonly work: (prompt: string, found: RegExpExecArray) => readonly Call[];
}

const kinds: readonly Kind[] = [
  {
    name: 'logic-architect',
    begins: /^Extract capabilities/m,
    work: (prompt) => [
      read(inPlan(prompt, 'inputs/spec.md')),
      write(inPlan(prompt, 'artifacts/capability-map.json'), capabilities),
    ],
  },
  {
    name: 'physical-architect',
    begins: /^Map behaviors/m,
    work: (prompt) => [
      read(inPlan(prompt, 'artifacts/capability-map.json')),
      write(inPlan(prompt, 'artifacts/physical-map.json'), printed(physicalMap(sha256(capabilities)))),
    ],
  },
  {
    name: 'task-author',
    begins: /^Create individual task files/m,
    work: (prompt) => [
      read(inPlan(prompt, 'artifacts/physical-map.json')),
      read(inPlan(prompt, 'artifacts/capability-map.json')),
      ...tasks('authored').map((task) => write(inPlan(prompt, `tasks/${task.id}.json`), printed(task))),
    ],
  },
  {
    name: 'task-plan-verifier',
    begins: /^Verify task definitions/m,
    work: (prompt) => [
      ...['inputs/spec.md', 'artifacts/capability-map.json', 'artifacts/physical-map.json', ...taskFiles].map(
        (path) => read(inPlan(prompt, path)),
      ),
      write(inPlan(prompt, 'reports/task-validation-report.md'), '# Tasks\n\nAll can be done.\n\nREADY\n'),
      write(
        inPlan(prompt, 'reports/task-validation.json'),
        printed({ verdict: 'READY', summary: 'All can be done.', issues: [] }),
      ),
    ],
  },
  {
    name: 'plan-auditor',
    begins: /^Assign phases/m,
    work: (prompt) => [
      ...[...taskFiles, 'artifacts/capability-map.json'].map((path) => read(inPlan(prompt, path))),
      ...pieces.filter(({ phase }) => phase !== 1).map((piece) => movePhase(prompt, piece)),
    ],
  },
  {
    name: 'task-executor',
    begins: /^Execute task (T\d{3})/m,
    work: (prompt, found) => {
      const { needs, files, test } = pieceIn(found);
      const before = pieces.filter(({ number }) => needs.includes(number)).flatMap(pathsOf);
      return [
        ...before.map((path) => read(inWorkspace(prompt, path))),
        ...[...files, test].map(({ path, content }) => write(inWorkspace(prompt, path), content)),
        shell(`node --test ${test.path}`),
      ];
    },
  },
  {
    name: 'task-verifier',
    begins: /^Verify the work on task (T\d{3})/m,
    work: (prompt, found) => {
      const piece = pieceIn(found);
      return [
        ...pathsOf(piece).map((path) => read(inWorkspace(prompt, path))),
        shell(`node --test ${piece.test.path}`),
      ];
    },
  },
  {
    name: 'one file',
    begins: /^Write (\w+)\.txt/m,
    work: (_prompt, [, word = '']) => [
      shell('ls'),
      shell(`printf '%s\\n' ${word} > ${word}.txt`),
      shell(`grep -q ${word} ${word}.txt`),
    ],
  },
];

function kindOf(prompt: string): Kind {
  const kind = kinds.find(({ begins }) => begins.test(prompt));
  if (kind === undefined) throw new Error(`no work is known for this prompt: ${prompt.slice(0, 500)}`);
  return kind;
}

function workCalls(prompt: string): readonly Call[] {
  const { begins, work } = kindOf(prompt);
  return work(prompt, begins.exec(prompt) as RegExpExecArray);
}

const capabilities = printed(capabilityMap(sha256(spec)));
const taskFiles = pieces.map(({ number }) => `tasks/${taskId(number)}.json`);

function movePhase(prompt: string, { number, phase }: Piece): Call {
  const file = inPlan(prompt, `tasks/${taskId(number)}.json`);
  return {
    name: 'Edit',
    input: { file_path: file, old_string: '"phase": 1,', new_string: `"phase": ${phase},` },
  };
}

function pieceIn([, id]: RegExpExecArray): Piece {
  const piece = pieces.find(({ number }) => taskId(number) === id);
  if (piece === undefined) throw new Error(`there is no task ${id ?? ''} in the example`);
  return piece;
}

function pathsOf({ files, test }: Piece): readonly string[] {
  return [...files, test].map(({ path }) => path);
}

function inPlan(prompt: string, path: string): string {
  return join(/^PLANNING_DIR: (\S+)/m.exec(prompt)?.[1] ?? '/no-plan-named', path);
}

function inWorkspace(prompt: string, path: string): string {
  return join(/^(?:Workspace|Working directory): (\S+)/m.exec(prompt)?.[1] ?? '/no-workspace-named', path);
}

function printed(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
