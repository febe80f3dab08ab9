import { oneLine } from '../../lib/terminal-text.ts';
import { addNews, fence, type LaterWords } from '../heal-prompt.ts';
import type { Bundle } from './bundle.ts';
import type { TaskDiff } from './execute-parts.ts';
import type { SealedWork } from '../workspace.ts';

export interface PromptPlace {
  /** Absolute. */
  readonly planDir: string;
  /** Root of the agent's own checkout of the target. */
  readonly dir: string;
  /** Commands of the project that fail before any work, and that a person chose to continue without. */
  readonly without?: readonly string[];
}

/** A task that this one needs, and what it left on the integration branch. */
export interface LandedTask {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly files: readonly string[];
}

/** The first prompt of a task's executor. It sees nothing else, so everything it needs is named; the task is data. */
export function executorPrompt(bundle: Bundle, place: PromptPlace, landed: readonly LandedTask[]): string {
  const { task_id: id, name } = bundle;
  return [
    `Execute task ${id}: ${oneLine(name, 200)}`,
    placesBlock(bundle, place),
    ...landedBlock(landed),
    taskBlock(bundle),
    ...withoutBlock(place),
    `## What to do

1. Implement every behavior in the files under "files", and change no others. If another file must change, ask or note it:
   Tutti lands no undeclared file without a person's consent.
2. Run every command under "acceptance_criteria" in the workspace until all pass. Tutti runs them again, and its own runs
   count.
3. Do not commit, create branches or write to ${place.planDir}. Tutti commits and lands what you leave in the workspace.`,
    resultBlock('the task is done and every acceptance command passed'),
  ].join('\n\n');
}

/** The prompt of the verifier: it did not do the work and changes nothing (P2). */
export function verifierPrompt(
  bundle: Bundle,
  place: PromptPlace,
  files: SealedWork['files'],
  diff: TaskDiff | null,
): string {
  const { task_id: id, name } = bundle;
  return [
    `Verify the work on task ${id}: ${oneLine(name, 200)}`,
    placesBlock(bundle, place),
    taskBlock(bundle),
    ...withoutBlock(place),
    changeBlock(files, diff),
    `## What to do

1. Read the change and the code around it. Every acceptance command has passed already. Find out whether the behaviors are
   really there, whether the tests could fail, and what is missing.
2. Change nothing in the workspace: it may be read-only, and changed files are set back. What a command has to
   write goes to $TMPDIR.`,
    `${resultBlock('you would accept the work as it is')}\nPut each finding into "notes": file, line, what is wrong, what would fix it.\n`,
  ].join('\n\n');
}

/** The words of the turn after others changed the same places. */
export function rebaseWords(task: string, why: RebaseReason): LaterWords {
  const seen =
    why.at === 'conflict'
      ? `Other tasks have landed changes to the same lines. They are merged into your workspace now. These files have conflict
markers (data):\n\n${fence(why.files.join('\n'))}

Resolve each conflict so that both your task and the other work hold.`
      : `Your work merges with what other tasks have landed, but this no longer passes (data):\n\n${fence(
          `${why.task}: ${why.criterion}\n\n${why.output.slice(-6_000)}`,
        )}

The landed work is in your workspace now. Fix it so that both your task and the other work hold.`;
  return addNews(task, `${seen} Then run every acceptance command again and hand over your result again.\n`);
}

export type RebaseReason =
  | { readonly at: 'conflict'; readonly files: readonly string[] }
  | { readonly at: 'broken'; readonly task: string; readonly criterion: string; readonly output: string };

/** The task without what only programs need, and without the project's context, which has a file. */
function taskBlock({ task_id, name, behaviors, files, acceptance_criteria, ...rest }: Bundle): string {
  const { tech_stack, external } = rest.constraints;
  const task = {
    task_id,
    name,
    behaviors,
    files,
    acceptance_criteria,
    constraints: { tech_stack, external },
    context: rest.context,
  };
  return `## The task (data)\n\n${fence(JSON.stringify(task, null, 1))}`;
}

function changeBlock({ created, modified, deleted }: SealedWork['files'], diff: TaskDiff | null): string {
  if (diff === null) {
    return `## What was changed (data)\n\n${fence(JSON.stringify({ created, modified, deleted }))}`;
  }
  const rest = diff.isWhole ? '' : `\n\nThis is the beginning of the diff. The whole: ${diff.path}`;
  return `## What was changed (data)\n\n${fence(diff.text)}${rest}`;
}

function landedBlock(landed: readonly LandedTask[]): readonly string[] {
  if (landed.length === 0) return [];
  const lines = landed.map(({ id, name, summary, files }) => {
    const said = summary === '' ? '' : ` ${oneLine(summary, 300)}`;
    return `- ${id} ${oneLine(name, 200)}:${said} Files: ${files.join(', ')}`;
  });
  return [
    `## What earlier tasks landed (data)\n\n${fence(lines.join('\n'))}\n\nRead these files first: your work must fit them.`,
  ];
}

/** Said where the task is, because the project's context and the task itself may still ask for them. */
function withoutBlock({ without = [] }: PromptPlace): readonly string[] {
  if (without.length === 0) return [];
  const commands = without.map((command) => oneLine(command, 500)).join('\n');
  return [
    `## Commands that need not pass (data)\n\n${fence(commands)}\n\nThey fail before any work, and a person chose to continue without them. Criteria that run them are not judged.`,
  ];
}

function placesBlock({ constraints }: Bundle, { planDir, dir }: PromptPlace): string {
  const context =
    constraints.project_context === '' ? '' : `\nProject context: ${planDir}/inputs/context.json`;
  return `## Places

Workspace: ${dir} (your own checkout; paths of the task are relative to it)
Specification: ${planDir}/inputs/spec.md${context}`;
}

function resultBlock(success: string): string {
  return `## Result

"status" is "success" only if ${success}; else "failed", with the reason in "summary", or "blocked" with "questions" that a
person must answer first.
`;
}
