import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { driverOf } from '../../drivers/registry.ts';
import { readTextBelow } from '../../gates/workspace-file.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type Agent, skillMention } from '../../model/agent.ts';
import type { OwnReading } from '../../model/driver.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';
import { realOf } from '../../workspace/trust-root.ts';
import { rootFor } from '../trust/root.ts';
import { isTrustedProject } from '../trust/workspace-trust.ts';
import type { Place } from '../tutti.ts';
import type { AgentSource } from './agent-places.ts';
import { findSkill, noSkill } from './find-skill.ts';

const maxBytes = 64 * 1024;
const readsNothing: OwnReading = { instructions: 'none', skills: [] };

/**
 * The system prompt of an agent with the skills that it names and the project's instructions, as far as its CLI does not
 * find them by itself. Nothing is written anywhere: what an agent is told travels with its prompt.
 */
export function equippedPrompt(
  source: AgentSource,
  agent: Pick<Agent, 'name' | 'systemPrompt' | 'skills'>,
  reads: OwnReading = readsNothing,
): Result<string, Problem> {
  const parts: string[] = [];
  for (const name of new Set(agent.skills)) {
    const part = skillPart(source, name, reads);
    if (!part.ok) return err(problemOf(null, `agent ${agent.name}: ${part.error}`));
    parts.push(part.value);
  }
  const told = new Set<string>();
  for (const folder of instructionFolders(source.paths.root)) {
    const untold = untoldInstructions(folder, reads);
    if (!untold.ok) return err(problemOf(null, `agent ${agent.name}: ${untold.error}`));
    for (const text of untold.value) told.add(text);
  }
  if (told.size > 0) parts.push(['## Instructions of the project', ...told].join('\n\n'));
  if (parts.length === 0) return ok(agent.systemPrompt);
  return ok(`${[agent.systemPrompt.trimEnd(), ...parts].join('\n\n')}\n`);
}

/** The same, for the driver that the agent will run with. */
export function promptFor(place: Place, agent: Agent, driver: string): Result<string, Problem> {
  const { paths, config, env } = place;
  const found = driverOf(driver, config, { projectDir: paths.root, searchPath: env['PATH'] ?? '' });
  const reads = found.ok ? found.value.reads : undefined;
  const finds = reads === undefined || isTrustedProject({ env, paths });
  return equippedPrompt(place, agent, finds ? reads : ofThePerson(reads));
}

/** Where the repository is not trusted its CLI is kept from it, and finds by itself only what is in the person's home. */
function ofThePerson({ skills }: OwnReading): OwnReading {
  return { instructions: 'none', skills: skills.map((folder) => `~/${folder}`) };
}

function skillPart(source: AgentSource, name: string, reads: OwnReading): Result<string, string> {
  const skill = findSkill(source, name);
  if (!skill.ok) return skill;
  const found = skill.value;
  const isRead = found !== null && reads.skills.some((folder) => found.folder.startsWith(`${folder}/`));
  // A CLI that reads skills may have it from the person's own folder or a plugin.
  if (isRead || (found === null && reads.skills.length > 0)) return ok(skillMention(name));
  if (found === null) return err(noSkill(name));
  return ok(
    `## Skill: ${name}\n\nFiles that it names are in ${found.folder} of the project.\n\n${found.text}`,
  );
}

/** The root of the repository first, where the project is a folder below it: CLIs look there too. */
function instructionFolders(project: string): readonly string[] {
  const { checkout, isGit } = rootFor(project, project);
  const isBelow = isGit && checkout !== realOf(project);
  return isBelow ? [checkout, project] : [project];
}

/** AGENTS.md and CLAUDE.md reach every agent, each once: what its CLI reads by itself is not repeated. */
function untoldInstructions(
  projectDir: string,
  { instructions }: OwnReading,
): Result<readonly string[], string> {
  const agents = instructionsIn(projectDir, 'AGENTS.md');
  if (!agents.ok) return agents;
  const claude = instructionsIn(projectDir, 'CLAUDE.md');
  if (!claude.ok) return claude;
  // Often one file stands for both: as a link, as a copy, or as a line that includes the other.
  const own = claude.value === agents.value ? '' : claude.value.replace(importsAgents, '').trim();
  switch (instructions) {
    case 'none':
      return ok([agents.value, own].filter((text) => text !== ''));
    case 'AGENTS.md':
      return ok(own === '' ? [] : [own]);
    case 'CLAUDE.md': {
      const isRead = claude.value === '' || claude.value === agents.value || importsAgents.test(claude.value);
      return ok(isRead || agents.value === '' ? [] : [agents.value]);
    }
  }
}

const importsAgents = /^@(?:\.\/)?AGENTS\.md[ \t]*$/m;

/** Empty when the project has none. */
function instructionsIn(projectDir: string, name: string): Result<string, string> {
  if (!existsSync(join(projectDir, name))) return ok('');
  const text = readTextBelow(projectDir, name, maxBytes);
  if (!text.ok) return text;
  if (text.value.includes('\0')) return err(`${name} may not contain NUL`);
  return ok(text.value.trim());
}
