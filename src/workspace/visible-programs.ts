import { realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';
import { findProgram } from '../lib/find-program.ts';
import { isWithin } from '../lib/path-below.ts';

/** Places that are empty at the start of a sandbox, so that sockets and files of other programs cannot be reached. */
const hiddenPlaces = ['/tmp', '/dev/shm'];

export interface ProgramPlace {
  /** Programs that an agent may call besides its own: Tutti and its Node. */
  readonly programs: readonly string[];
  readonly searchPath: string | undefined;
}

/**
 * Folders that a sandbox must show again, because a program that the agent needs lies below a hidden place: the agent's
 * own program, files among its arguments, and everything on PATH, links followed. Each is the folder directly below the
 * hidden place: a program needs its neighbours (`node_modules`, `lib`), and only that folder surely holds them all.
 */
export function visibleFolders(argv: readonly string[], place: ProgramPlace): readonly string[] {
  const [program = ''] = argv;
  const found = isAbsolute(program) ? program : findProgram(program, place.searchPath);
  const files = [...argv.slice(1), ...place.programs].filter((path) => isAbsolute(path) && isFile(path));
  const onPath = (place.searchPath ?? '').split(delimiter).filter(isAbsolute);
  const needed = [...(found === null ? [] : [found]), ...files, ...onPath];
  return [...new Set(needed.flatMap(withTarget).flatMap(outermostFolder))];
}

/** Whether a sandbox hides this path unless it is bound again. */
export function isHidden(path: string): boolean {
  return hidingPlace(path) !== undefined;
}

function withTarget(path: string): readonly string[] {
  try {
    return [path, realpathSync(path)];
  } catch {
    return [];
  }
}

function hidingPlace(path: string): string | undefined {
  return hiddenPlaces.find((hidden) => path !== hidden && isWithin(hidden, path));
}

function outermostFolder(path: string): readonly string[] {
  const place = hidingPlace(path);
  if (place === undefined) return [];
  const [first = ''] = relative(place, path).split(sep);
  return [join(place, first)];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
