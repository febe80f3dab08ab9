import { isAbsolute, join } from 'node:path';
import { isWithin } from '../lib/path-below.ts';
import type { CliHome } from './cli-definition.ts';
import type { Variables } from './environment.ts';
import { homeFolder } from './sign-in.ts';

const xdgFolders: NonNullable<CliHome['moved']> = [
  ['.local/share', 'XDG_DATA_HOME'],
  ['.local/state', 'XDG_STATE_HOME'],
  ['.cache', 'XDG_CACHE_HOME'],
  ['.config', 'XDG_CONFIG_HOME'],
];

type HomeFiles = Pick<CliHome, 'folders' | 'guarded' | 'settings'>;

/** The files of a CLI where the person's variables have them: absolute there, relative to the home otherwise. */
export function placedHome(
  { folders, guarded, settings, moved }: HomeFiles & Pick<CliHome, 'moved'>,
  env: Variables,
): HomeFiles {
  const place = homePlacer({ moved }, env);
  const placed = Object.entries(settings).map(([name, content]) => [place(name), content]);
  return { folders: folders.map(place), guarded: guarded.map(place), settings: Object.fromEntries(placed) };
}

/** Finds where one file of a CLI is; the name is relative to the home. */
export function homePlacer(
  { moved = [] }: { readonly moved: CliHome['moved'] },
  env: Variables,
): (name: string) => string {
  const moves = [...moved, ...xdgFolders].flatMap(([folder, variable]) => {
    const to = env[variable] ?? '';
    // A CLI that keeps its files in the home itself would open the whole home to agents.
    return isAbsolute(to) && !isWithin(to, homeFolder(env)) ? [{ folder, to }] : [];
  });
  return (name) => {
    const move = moves.find(({ folder }) => isWithin(`/${folder}`, `/${name}`));
    return move === undefined ? name : join(move.to, name.slice(move.folder.length));
  };
}
