import { type PlanFacts, type PlanIssue, taskFile } from './plan-facts.ts';
import type { PlanTask } from './plan-task.ts';

/** Acceptance criteria must be able to fail, and those of an existing project run what it has for that. */
export function criteriaIssues(tasks: readonly PlanTask[], facts: PlanFacts): readonly PlanIssue[] {
  const commands = new Set<string>();
  for (const task of tasks) for (const each of task.acceptance_criteria) commands.add(each.verification);
  const bad = facts.badCommands([...commands]);
  const issues: PlanIssue[] = [];
  for (const { id, acceptance_criteria: criteria } of tasks) {
    for (const [index, { criterion, verification }] of criteria.entries()) {
      const say = (member: string, message: string): unknown =>
        issues.push({ file: taskFile(id), path: ['acceptance_criteria', index, member], message });
      if (oneOrTwoWords.test(criterion.trim())) say('criterion', 'must be a measurable sentence, not a word');
      const trouble = emptyCheck(verification) ?? bad.get(verification);
      if (trouble !== undefined) say('verification', trouble);
    }
  }
  return facts.projectType === 'existing' ? [...issues, ...ownTests(commands, facts.testCommands)] : issues;
}

/** Only where words have blanks between them; not all scripts do that. */
const oneOrTwoWords = /^[!-~]+(?:\s+[!-~]+)?$/;

/** What looks like a command and decides nothing. */
function emptyCheck(verification: string): string | undefined {
  const command = verification.trim();
  if (prose.test(command)) return 'is a sentence: it must be a command that passes or fails';
  return passesAlways.test(command) ? 'passes whatever was done: it must be able to fail' : undefined;
}

/** Programs are hardly ever written with a capital letter; what people and agents write instead of one is. */
const prose =
  /^(?:An?|All|Check|Confirm|Ensure|Inspect|It|Make sure|Manual(?:ly)?|Open|Review|Run|Should|Test that|The|Verify|Visit)\s/;
const passesAlways = /^(?:(?:true|:|exit 0|exit)$|echo\s[^|&;<>`$]*$)|\|\|\s*(?:true|:|exit 0)$/;

function ownTests(commands: ReadonlySet<string>, wanted: readonly string[]): readonly PlanIssue[] {
  const run = [...commands];
  return wanted
    .filter((command) => !run.some((each) => runsCommand(each, command)))
    .map((command) => ({
      file: 'tasks',
      path: [],
      message: `no acceptance criterion runs the project's own \`${command}\``,
    }));
}

/** Whether a command contains another one, word for word. */
export function runsCommand(verification: string, command: string): boolean {
  return words(verification).includes(words(command));
}

/** With blanks around it, so that whole words are compared. */
function words(command: string): string {
  return ` ${command.replaceAll(/[\s;&|()]+/g, ' ').trim()} `;
}
