import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextBelow } from '../../gates/workspace-file.ts';
import { isSafeName } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Agent } from '../../model/agent.ts';
import { agentFrontMatterForm, agentFrontMatterOf } from '../../model/schemas/agent-front-matter.ts';
import { quoted } from '../../model/schemas/code-frame.ts';
import { nearest } from '../../lib/nearest.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';
import { readForm } from '../../model/schemas/yaml-document.ts';
import { agentNames, agentPaths, type AgentSource, notTrusted } from './agent-places.ts';
import { builtInAgents } from './built-in/index.ts';
import { splitFrontMatter } from './front-matter.ts';

const maxBytes = 1024 * 1024;

/** The project's own agent of that name if it counts, or the built-in one. */
export function findAgent({ paths, trust }: AgentSource, name: string): Result<Agent, Problem> {
  if (!isSafeName(name)) {
    return err(
      problemOf(
        null,
        `${quoted(name)} is no name for an agent: use letters, digits, "_" and "-", at most 64, and start with a letter or digit`,
      ),
    );
  }
  const { root } = paths;
  const path = pathOfAgent(root, name);
  if (path !== undefined && trust.counts(path)) return readAgent(root, name, path);
  const text = builtInAgents.get(name);
  if (text !== undefined) return parseAgent(name, text, 'built-in');
  return err(path === undefined ? notFound(root, name) : problemOf(null, `agent ${name} ${notTrusted}`));
}

/** Whether the project has an agent of that name which does not count yet. */
export function isUntrustedAgent({ paths, trust }: AgentSource, name: string): boolean {
  const path = pathOfAgent(paths.root, name);
  return path !== undefined && !trust.counts(path);
}

function pathOfAgent(root: string, name: string): string | undefined {
  return agentPaths(name).find((each) => existsSync(join(root, each)));
}

function readAgent(projectDir: string, name: string, path: string): Result<Agent, Problem> {
  const text = readTextBelow(projectDir, path, maxBytes);
  return text.ok ? parseAgent(name, text.value, path) : err(problemOf(null, `agent ${name}: ${text.error}`));
}

/** Reads an agent's file: front matter between `---` lines, if there is any, then the system prompt to the last byte. */
export function parseAgent(name: string, text: string, source: string): Result<Agent, Problem> {
  const parts = splitFrontMatter(text);
  if (parts === null) return err(problemOf(source, 'the front matter that opens with "---" is never closed'));
  const form = readForm(agentFrontMatterForm.nullable(), parts.frontMatter, source);
  if (!form.ok) return err(form.error[0] ?? problemOf(source, 'the front matter cannot be read'));
  if (parts.body.includes('\0')) return err(problemOf(source, 'the system prompt may not contain NUL'));
  return ok({ name, systemPrompt: parts.body, source, ...agentFrontMatterOf(form.value ?? {}) });
}

function notFound(projectDir: string, name: string): Problem {
  const known = agentNames(projectDir);
  const meant = nearest(name, known);
  const hint = meant === null ? `known are ${known.join(', ')}` : `did you mean '${meant}'?`;
  const places = agentPaths(name).join(', ');
  return problemOf(
    null,
    `Agent '${name}' not found in agents/; ${hint} (looked for ${places} in ${projectDir}, and built-in)`,
  );
}
