import { oneLine } from '../../lib/terminal-text.ts';
import { fence } from '../heal-prompt.ts';
import type { Bundle } from './bundle.ts';
import { executorAgent, verifierAgent } from './phase.ts';
import type { SealedWork } from './workspace.ts';

export interface PromptPlace {
  /** Absolute. */
  readonly planDir: string;
  readonly bundlePath: string;
  /** Root of the agent's own checkout of the target. */
  readonly dir: string;
}

/** What a task's executor is told. It sees nothing else, so everything is in it; the bundle is data. */
export function executorPrompt(bundle: Bundle, place: PromptPlace): string {
  const { task_id: id, name } = bundle;
  return [
    `Execute task ${id}: ${oneLine(name, 200)}`,
    logging(executorAgent, `Executing task ${id}`),
    paths(place),
    `## The bundle (data)\n\n${fence(JSON.stringify(bundle, null, 2))}`,
    `## What to do

1. Implement every behavior of the bundle, in the files it lists under "files" and in no others. Whatever else must change
   is a question or a note, not an edit: a write outside the declared files is not landed without a person's consent.
2. Read the files under "dependencies.files" first: earlier tasks wrote them, and yours must fit them.
3. Run every command under "acceptance_criteria" in the working directory until all pass. Tutti runs them again itself,
   and what it sees counts.
4. Do not commit, do not create branches, do not write to ${place.planDir}: Tutti commits and lands what you leave in the
   working directory, and records the result.`,
    result(
      'the task is done and every acceptance command passed',
      'decisions and observations, one sentence each',
    ),
  ].join('\n\n');
}

/** What the verifier is told: it did not do the work and changes nothing (P2). */
export function verifierPrompt(bundle: Bundle, place: PromptPlace, files: SealedWork['files']): string {
  const { task_id: id, name } = bundle;
  return [
    `Verify the work on task ${id}: ${oneLine(name, 200)}`,
    logging(verifierAgent, `Verifying task ${id}`),
    paths(place),
    `## The bundle that the work was done from (data)\n\n${fence(JSON.stringify(bundle, null, 2))}`,
    `## What was changed (data)\n\n${fence(JSON.stringify(files, null, 2))}`,
    `## What to do

1. Read what was changed and the code around it. Every acceptance command has passed already; find out whether the
   behaviors are really there, whether tests could fail, and what is missing.
2. Change nothing: your result is all you write. A file that differs afterwards makes your verdict void.`,
    result(
      'you would accept the work as it is',
      'each finding: file, line, what is wrong, what would fix it',
    ),
  ].join('\n\n');
}

/** The turn after others changed the same places. */
export function rebasePrompt(task: string, why: RebaseReason): string {
  const seen =
    why.at === 'conflict'
      ? `Work of other tasks has landed that changed the same lines. It is merged into your working directory now; marks of
the conflict are in these files (data):\n\n${fence(why.files.join('\n'))}

Resolve each so that both your task and the other work hold.`
      : `Your work merges with what other tasks have landed, and then this no longer passes (data):\n\n${fence(
          `${why.task}: ${why.criterion}\n\n${why.output.slice(-6_000)}`,
        )}

What has landed is in your working directory now. Mend it so that both your task and the other work hold.`;
  return `${task}\n\n---\n\n${seen} Then run every acceptance command again and write the result anew.\n`;
}

export type RebaseReason =
  | { readonly at: 'conflict'; readonly files: readonly string[] }
  | { readonly at: 'broken'; readonly task: string; readonly criterion: string; readonly output: string };

function logging(agent: string, start: string): string {
  return `## Logging

Log what you begin, decide and finish:

tutti log INFO ${agent} start "${start}"
tutti log INFO ${agent} decision "What decision and why"
tutti log INFO ${agent} complete "Outcome description"
tutti log ERROR ${agent} error "Error message"

If that command cannot be used where you are, go on without it.`;
}

function paths({ planDir, bundlePath, dir }: PromptPlace): string {
  return `## Places

TUTTI_PLAN_DIR: ${planDir}
Bundle: ${bundlePath}
Working directory: ${dir} (a checkout of your own; paths in the bundle are relative to it)`;
}

function result(success: string, notes: string): string {
  return `## Result

{"status": "success", "summary": "one or two sentences", "artifacts": [], "notes": ["${notes}"], "questions": []}
"status" is "success" only if ${success}; else "failed", with the reason in "summary", or "blocked" with "questions" that a
person must answer first.`;
}
