import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DriverDefinition } from '../../drivers/driver-definition.ts';
import { defineDriver, findWorkingDriver } from '../../drivers/registry.ts';
import type { Config, DriverConfig } from '../../model/config.ts';
import type { ProjectTrust } from '../trust/project-trust.ts';

export type FileTrust = Pick<ProjectTrust, 'counts' | 'holds'>;

/** Files that a driver obeys. A relative path is one of the project's. */
export function driverFiles(driver: DriverConfig, projectDir: string): readonly string[] {
  return filesOf(defineDriver(driver), projectDir);
}

/**
 * The first of them that the repository brings and no person trusted as it is now; null: there is none. Looked at again for
 * every launch, because an agent or a pull may have changed it a moment ago.
 */
export function untrustedFile(
  config: Pick<Config, 'drivers'>,
  name: string,
  projectDir: string,
  trust: FileTrust,
): string | null {
  const isForeign = (file: string): boolean => existsSync(file) && trust.holds(file) && !trust.counts(file);
  // A recorder of a recorder is refused elsewhere.
  return filesOf(findWorkingDriver(config, name), projectDir).find(isForeign) ?? null;
}

function filesOf(driver: DriverDefinition | null, projectDir: string): readonly string[] {
  return (driver?.files ?? []).map((file) => resolve(projectDir, file));
}
