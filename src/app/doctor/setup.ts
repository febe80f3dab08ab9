import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { driverOf } from '../../drivers/registry.ts';
import type { Config } from '../../model/config.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { listAgents } from '../agents/list-agents.ts';
import { snapshotOf } from '../agents/snapshot.ts';
import type { Environment } from '../tutti.ts';
import { fault, fine, type Finding, warning } from './finding.ts';

/** Every driver that is described, and whether what it runs is there. One that no agent uses stops nobody. */
export function driverFindings(root: string, config: Config, env: Environment): readonly Finding[] {
  const { agents } = listAgents(root);
  const used = new Set([config.driver, ...agents.map((agent) => snapshotOf(agent, config).driver)]);
  const isProject = existsSync(join(root, 'tutti.yaml'));
  const paths = { projectDir: root, searchPath: env['PATH'] ?? '' };
  return [...new Set([...Object.keys(config.drivers), ...used])].map((name) => {
    const driver = driverOf(name, config, paths);
    const missing = driver.ok ? driver.value.missing() : driver.error.message;
    const title = `driver ${name}`;
    if (missing === null) return fine(title, name === config.driver ? 'ready (the default)' : 'ready');
    if (!isProject) return warning(title, missing, 'tutti init');
    const mend = 'name another driver, or mend this one: ${EDITOR:-vi} tutti.yaml';
    return used.has(name) ? fault(title, missing, mend) : warning(title, missing, mend);
  });
}

export function agentFindings(root: string): readonly Finding[] {
  const { agents, problems } = listAgents(root);
  const names = agents.map(({ name, source }) => (source === 'built-in' ? `${name} (built-in)` : name));
  return [
    fine('agents', names.join(', ')),
    ...problems.map((problem) =>
      fault('agents', problemSentence(problem), '${EDITOR:-vi} the file, then: tutti doctor'),
    ),
  ];
}
