import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { skillFolders } from '../../drivers/cli-facts.ts';
import { readTextBelow } from '../../gates/workspace-file.ts';
import { isSafeName } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { quoted } from '../../model/schemas/code-frame.ts';
import { type AgentSource, notTrusted } from './agent-places.ts';
import { splitFrontMatter } from './front-matter.ts';

/** What an agent can be told of a skill; the files beside it stay where they are. */
export interface Skill {
  readonly name: string;
  /** Its folder, relative to the project. */
  readonly folder: string;
  /** Without the front matter, which is for choosing it. */
  readonly text: string;
}

/** Where the skills of a project are, strongest first. */
export const projectSkillFolders = ['skills', ...skillFolders];

/** It becomes a part of every prompt: one that is longer is no instruction but a book. */
const maxBytes = 64 * 1024;

/** Null: the project has no skill of that name. An error is one sentence. */
export function findSkill({ paths, trust }: AgentSource, name: string): Result<Skill | null, string> {
  if (!isSafeName(name)) return ok(null);
  const path = projectSkillFolders
    .map((folder) => `${folder}/${name}/SKILL.md`)
    .find((each) => existsSync(join(paths.root, each)));
  if (path === undefined) return ok(null);
  if (!trust.counts(path)) return err(`skill ${name} ${notTrusted}`);
  const text = readTextBelow(paths.root, path, maxBytes);
  if (!text.ok) return err(`skill ${name}: ${text.error}`);
  const parts = splitFrontMatter(text.value);
  if (parts === null) return err(`${path}: the front matter that opens with "---" is never closed`);
  if (parts.body.includes('\0')) return err(`${path} may not contain NUL`);
  return ok({ name, folder: dirname(path), text: parts.body.trim() });
}

export function noSkill(name: string): string {
  const places = projectSkillFolders.map((folder) => `${folder}/${name}/SKILL.md`).join(', ');
  return isSafeName(name)
    ? `there is no skill ${name} (looked for ${places})`
    : `${quoted(name)} is no name for a skill: use letters, digits, "_" and "-", at most 64`;
}
