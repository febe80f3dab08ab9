import type { Config } from '../../model/config.ts';
import type { Issue } from '../../model/schemas/issue.ts';
import { nearest } from '../../lib/nearest.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';
import type { FileLayer } from './file-layer.ts';

/** A driver that is chosen but not described would only be noticed at the first launch. */
export function unknownDriver(config: Config, files: readonly FileLayer[]): Problem | null {
  const known = Object.keys(config.drivers);
  for (const [path, name] of chosenDrivers(config)) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known);
    const hint = meant === null ? `known are ${known.join(', ')}` : `did you mean '${meant}'?`;
    const issue: Issue = {
      path,
      member: undefined,
      message: `there is no driver ${JSON.stringify(name)}; ${hint}`,
    };
    const file = files.find(({ layer }) => says(layer, path, name));
    return file === undefined ? problemOf(null, issue.message) : file.problemAt(issue);
  }
  return null;
}

function chosenDrivers(config: Config): readonly (readonly [readonly string[], string])[] {
  const ofAgents = Object.entries(config.agents).flatMap(([agent, { driver }]) =>
    driver === undefined ? [] : [[['agents', agent, 'driver'], driver] as const],
  );
  return config.driverFrom === 'named' ? [[['driver'], config.driver], ...ofAgents] : ofAgents;
}

function says(layer: FileLayer['layer'], path: readonly string[], name: string): boolean {
  const agent = path.length === 1 ? undefined : layer.agents?.[path[1] ?? ''];
  return (path.length === 1 ? layer.driver : agent?.driver) === name;
}
