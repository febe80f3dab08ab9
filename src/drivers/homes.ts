import { isAbsolute, join } from 'node:path';
import type { CliHome } from './cli-definition.ts';
import type { Variables } from './environment.ts';

const xdgFolders = [
  ['.local/share/', 'XDG_DATA_HOME'],
  ['.local/state/', 'XDG_STATE_HOME'],
  ['.cache/', 'XDG_CACHE_HOME'],
  ['.config/', 'XDG_CONFIG_HOME'],
] as const;

type HomeFiles = Pick<CliHome, 'folders' | 'guarded' | 'settings'>;

/** The files of a CLI where the person's variables have them: absolute there, relative to the home otherwise. */
export function placedHome({ folders, guarded, settings }: HomeFiles, env: Variables): HomeFiles {
  const place = (name: string): string => {
    const [prefix = '', variable = ''] = xdgFolders.find(([start]) => name.startsWith(start)) ?? [];
    const root = env[variable] ?? '';
    return isAbsolute(root) ? join(root, name.slice(prefix.length)) : name;
  };
  const placed = Object.entries(settings).map(([name, content]) => [place(name), content]);
  return { folders: folders.map(place), guarded: guarded.map(place), settings: Object.fromEntries(placed) };
}
