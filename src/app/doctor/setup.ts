import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CliUse } from '../../drivers/driver-definition.ts';
import { modelShown } from '../../drivers/cli-facts.ts';
import { defineDriver, driverOf, knownClis } from '../../drivers/registry.ts';
import { type Config, noDriver } from '../../model/config.ts';
import type { Agent } from '../../model/agent.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { promptFor } from '../agents/equip.ts';
import type { AgentSource } from '../agents/agent-places.ts';
import { listAgents } from '../agents/list-agents.ts';
import { snapshotOf } from '../agents/snapshot.ts';
import type { Place } from '../tutti.ts';
import { projectFile } from '../config/default-settings.ts';
import { fault, fine, type Finding, lookAtTrust, type Scope, warning } from './finding.ts';

/** Drivers that agents of this project run with, the default first. */
export function usedDrivers(source: AgentSource, config: Config): readonly string[] {
  const { agents } = listAgents(source);
  return [...new Set([config.driver, ...agents.map((agent) => snapshotOf(agent, config).driver)])];
}

/** The same and every other that a file declares: a CLI that is only known by its name needs no driver of its own here. */
export function allDrivers(config: Config, used: readonly string[]): readonly string[] {
  const declared = Object.keys(config.drivers).filter((name) => !config.undeclared.includes(name));
  return [...new Set([...declared, ...used])];
}

const editFile = 'name another driver, or fix this one: ${EDITOR:-vi} tutti.yaml';
const firstInstall = knownClis[0]?.install ?? 'tutti init';

/** Whether what a driver runs is there. One that no agent uses stops no run, and is shown only among all. */
export function driverFindings(place: Place, scope: Scope, untrusted: readonly string[]): readonly Finding[] {
  const { config, env } = place;
  const { root } = place.paths;
  const used = usedDrivers(place, config);
  const isProject = existsSync(join(root, projectFile));
  const paths = { projectDir: root, searchPath: env['PATH'] ?? '' };
  const names = scope === 'all' ? allDrivers(config, used) : used;
  return names.map((name) => {
    const driver = driverOf(name, config, paths);
    const missing = driver.ok ? driver.value.missing() : driver.error.message;
    const title = `driver ${name}`;
    if (missing === null) {
      const origin = config.driverFrom === 'path' ? ', found on PATH' : '';
      const ready = name === config.driver ? `ready (the default${origin})` : 'ready';
      return fine(title, `${ready}${modelsText(config, name)}`);
    }
    if (name === noDriver && untrusted.includes('driver')) {
      return fault(title, `${projectFile} chooses a driver, which counts once it is trusted`, lookAtTrust);
    }
    const judged = used.includes(name) ? fault : warning;
    if (name === noDriver && !isProject) return judged(title, missing, firstInstall);
    if (config.withheld.includes(name)) return judged(title, missing, lookAtTrust);
    return judged(title, missing, installOf(config, name) ?? (isProject ? editFile : 'tutti init'));
  });
}

/** The model of each tier, where the driver chooses one. */
function modelsText(config: Config, name: string): string {
  if (cliOf(config, name) === null) return '';
  const shown = tiers.map((tier) => `${tier} ${modelShown(config, name, tier)}`);
  return `; models: ${shown.join(', ')}`;
}

const tiers = ['low', 'medium', 'high'] as const;

/** The CLI that a driver runs by itself: a recorder is ready when the driver that it records is. */
function cliOf({ drivers }: Config, name: string): CliUse | null {
  const form = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  return (form === undefined ? null : defineDriver(form))?.cli ?? null;
}

function installOf(config: Config, name: string): string | null {
  const use = cliOf(config, name);
  // A path is the person's own choice, and no installation brings it back.
  return use === null || use.program.includes('/') ? null : use.install;
}

/** `place` is null where the configuration cannot be read: then nobody knows what an agent would run with. */
export function agentFindings(project: AgentSource, place: Place | null): readonly Finding[] {
  const { agents, problems } = listAgents(project);
  const names = agents.map(({ name, source }) => (source === 'built-in' ? `${name} (built-in)` : name));
  return [
    fine('agents', names.join(', ')),
    ...problems.map((problem) =>
      fault(
        'agents',
        problemSentence(problem),
        problem.untrusted ? lookAtTrust : '${EDITOR:-vi} the file, then: tutti doctor',
      ),
    ),
    ...(place === null ? [] : agents.flatMap((agent) => unequipped(place, agent))),
  ];
}

/** An agent whose skills are not there stops only who uses it. */
function unequipped(place: Place, agent: Agent): readonly Finding[] {
  const prompt = promptFor(place, agent, snapshotOf(agent, place.config).driver);
  if (prompt.ok) return [];
  return [warning('agents', problemSentence(prompt.error), 'write it, or leave it out of the agent')];
}
