import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextBelow } from '../../gates/workspace-file.ts';
import { isSafeName } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type AgentSource, notTrusted } from '../agents/agent-places.ts';
import { quoted } from '../../model/schemas/code-frame.ts';
import { nearest } from '../../lib/nearest.ts';

const maxBytes = 1024 * 1024;
const slot = '{{task}}';

/**
 * The shapes of a task prompt that every project has (seed C, section C). `templates/NAME.md` of the project comes first, if
 * it counts.
 */
const builtIn: ReadonlyMap<string, string> = new Map([
  [
    'validation',
    `# Task: validate\n\n## Objective\n\n{{task}}\n\n## How\n\nCheck each claim by running or reading something, and keep what you saw. Change nothing.\n\n## Deliverable\n\nYour result:\n{"status": "success or failed", "summary": "verdict", "findings": {}, "errors": [], "warnings": [], "recommendations": []}\n`,
  ],
  [
    'research',
    `# Task: research\n\n## Question\n\n{{task}}\n\n## How\n\nName the source of every statement: file and line, or command and output. Say what you could not find out.\n\n## Deliverable\n\nYour result:\n{"status": "success", "summary": "the answer", "findings": [], "open_questions": []}\n`,
  ],
  [
    'change',
    `# Task: change\n\n## Objective\n\n{{task}}\n\n## Acceptance\n\n- The smallest change that does it, in the style of the code around it\n- Tests for what changed, seen to pass\n\n## Deliverable\n\nYour result:\n{"status": "success or failed", "summary": "what was done", "artifacts": ["paths written"], "notes": ["assumptions made"]}\n`,
  ],
]);

/** Where a project has a template of that name. */
export function templatePath(name: string): string {
  return `templates/${name}.md`;
}

/** The task inside a template. Only the first slot is filled, and nothing in the task is looked at: it is data. */
export function withTemplate(
  { paths: { root }, trust }: AgentSource,
  name: string,
  task: string,
): Result<string, string> {
  if (!isSafeName(name)) return err(`${quoted(name.slice(0, 80))} is no name for a template`);
  const path = templatePath(name);
  const isThere = existsSync(join(root, path));
  const text =
    isThere && trust.counts(path) ? readTextBelow(root, path, maxBytes) : ok(builtIn.get(name) ?? null);
  if (!text.ok) return text;
  if (text.value === null && isThere) return err(`template ${name} ${notTrusted}`);
  if (text.value === null) {
    const meant = nearest(name, [...builtIn.keys()]);
    const hint = meant === null ? `built in are ${[...builtIn.keys()].join(', ')}` : `did you mean ${meant}?`;
    return err(`there is no template ${name}: neither ${path} nor built in; ${hint}`);
  }
  const at = text.value.indexOf(slot);
  if (at < 0) return err(`${path} has no ${slot}: there is no place for the task`);
  return ok(`${text.value.slice(0, at)}${task}${text.value.slice(at + slot.length)}`);
}
