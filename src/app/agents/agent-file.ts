import { err, ok, type Result } from '../../lib/result.ts';
import type { Agent } from '../../model/agent.ts';
import { agentFrontMatterForm, agentFrontMatterOf } from '../../model/schemas/agent-front-matter.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';
import { readForm } from '../../model/schemas/yaml-document.ts';
import { splitFrontMatter } from './front-matter.ts';

/** Reads an agent's file: front matter between `---` lines, if there is any, then the system prompt to the last byte. */
export function parseAgent(name: string, text: string, source: string): Result<Agent, Problem> {
  const parts = splitFrontMatter(text);
  if (parts === null) return err(problemOf(source, 'the front matter that opens with "---" is never closed'));
  const form = readForm(agentFrontMatterForm.nullable(), parts.frontMatter, source);
  if (!form.ok) return err(form.error[0] ?? problemOf(source, 'the front matter cannot be read'));
  if (parts.body.includes('\0')) return err(problemOf(source, 'the system prompt may not contain NUL'));
  return ok({ name, systemPrompt: parts.body, source, ...agentFrontMatterOf(form.value ?? {}) });
}
