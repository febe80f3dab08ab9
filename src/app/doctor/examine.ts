import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProject, pathsOf } from '../project.ts';
import { locate, openTutti, type Environment } from '../tutti.ts';
import type { Refusal } from '../refusal.ts';
import { fault, fine, type Finding } from './finding.ts';
import { cliFindings } from './cli-findings.ts';
import {
  diskFinding,
  gitFinding,
  limitsFinding,
  nodeFinding,
  sandboxFindings,
  stateFinding,
  tmuxFinding,
} from './machine.ts';
import { agentFindings, driverFindings } from './setup.ts';
import { trustFinding } from './trust.ts';

export interface Examined {
  readonly folder: string;
  readonly env: Environment;
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
}

/** Looks at everything a run needs, whatever state it is in: the doctor must not fall ill with the patient. */
export async function examine({ folder, env, nodeVersion, platform }: Examined): Promise<readonly Finding[]> {
  const { root, state, database } = pathsOf(findProject(folder));
  const place = locate({ folder, env });
  const file = existsSync(join(root, 'tutti.yaml')) ? join(root, 'tutti.yaml') : 'no tutti.yaml: defaults';
  return [
    nodeFinding(nodeVersion),
    gitFinding(env['PATH']),
    tmuxFinding(env['PATH']),
    ...sandboxFindings(env['PATH'], platform, place.ok ? place.value.config.sandbox : null),
    diskFinding(root),
    stateFinding(root, state),
    ...(place.ok ? [databaseFinding(folder, env, database)] : []),
    place.ok ? fine('config', file) : ofRefusal('config', place.error),
    ...(place.ok ? [limitsFinding(place.value.config.limits)] : []),
    ...(await cliFindings({ root, env, config: place.ok ? place.value.config : null })),
    ...(place.ok ? driverFindings(root, place.value.config, env) : []),
    ...agentFindings(root, place.ok ? place.value : null),
    trustFinding(folder, env),
  ];
}

function databaseFinding(folder: string, env: Environment, database: string): Finding {
  if (!existsSync(database)) return fine('database', 'none yet: the first run makes it');
  const opened = openTutti({ folder, env, create: false });
  if (!opened.ok) return ofRefusal('database', opened.error);
  opened.value[Symbol.dispose]();
  return fine('database', database);
}

function ofRefusal(name: string, { message, hint }: Refusal): Finding {
  return fault(name, message, hint);
}
