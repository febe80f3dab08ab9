import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config, DriverConfig } from '../../model/config.ts';
import type { ProjectTrust } from '../trust/project-trust.ts';

export type FileTrust = Pick<ProjectTrust, 'counts' | 'holds'>;

/** Files that a driver obeys: settings with hooks, servers, turns with commands. A relative path is one of the project's. */
export function driverFiles(driver: DriverConfig, projectDir: string): readonly string[] {
  const named =
    driver.type === 'claude'
      ? [driver.settings, driver.mcpConfig]
      : driver.type === 'replay'
        ? [driver.cassette]
        : [];
  return named.flatMap((file) => (file === undefined ? [] : [resolve(projectDir, file)]));
}

/**
 * The first of them that the repository brings and no person trusted as it is now; null: there is none. Looked at again for
 * every launch, because an agent or a pull may have changed it a moment ago.
 */
export function untrustedFile(
  { drivers }: Pick<Config, 'drivers'>,
  name: string,
  projectDir: string,
  trust: FileTrust,
): string | null {
  const driver = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (driver === undefined) return null;
  // A recorder of a recorder is refused elsewhere.
  if (driver.type === 'record') {
    const inner = drivers[driver.driver];
    return inner?.type === 'record' ? null : untrustedFile({ drivers }, driver.driver, projectDir, trust);
  }
  const isForeign = (file: string): boolean => existsSync(file) && trust.holds(file) && !trust.counts(file);
  return driverFiles(driver, projectDir).find(isForeign) ?? null;
}
