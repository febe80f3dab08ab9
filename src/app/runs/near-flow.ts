import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { namesIn } from '../../lib/names-in.ts';
import { nearest } from '../../lib/nearest.ts';
import { projectFile } from '../config/default-settings.ts';
import { findProject } from '../project.ts';

/**
 * The flow that a person most likely meant with a path that does not exist, as seen from the folder: a file of the same name
 * with another ending or in `flows/`, else the nearest name. Null: there is none.
 */
export function findNearFlow(file: string, folder: string): string | null {
  const wanted = resolve(folder, file);
  const folders = new Set([dirname(wanted), folder, join(findProject(folder), 'flows')]);
  const flows = [...folders].flatMap((place) =>
    namesIn(place)
      .filter((name) => /\.(?:ya?ml|json)$/i.test(name) && name !== projectFile)
      .map((name) => join(place, name)),
  );
  const same = flows.find((path) => stem(path) === stem(wanted));
  const name =
    same === undefined
      ? nearest(
          basename(wanted),
          flows.map((path) => basename(path)),
        )
      : null;
  const meant = same ?? flows.find((path) => basename(path) === name);
  return meant === undefined ? null : relative(folder, meant);
}

function stem(path: string): string {
  return basename(path, extname(path));
}
