import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** As far as a sandbox needs to know it. Paths are absolute, or relative to the home. */
interface CliHomeFiles {
  readonly folders: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Makes what only exists once the CLI ran for the first time: a sandbox can open only folders that exist, and can guard
 * only files that exist. A home that cannot be written is left as it is; the CLI reports that itself.
 */
export function prepareCliHome(home: string, { folders, settings }: CliHomeFiles): void {
  try {
    for (const folder of folders) mkdirSync(resolve(home, folder), { recursive: true, mode: 0o700 });
    for (const [name, content] of Object.entries(settings)) {
      const path = resolve(home, name);
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    }
  } catch {
    // Reported by the CLI, in its own words.
  }
}
