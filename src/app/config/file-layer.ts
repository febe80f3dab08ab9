import { dirname, join, resolve } from 'node:path';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { DriverConfig } from '../../model/config.ts';
import { configForm, type ConfigForm, type ConfigLayer, configLayerOf } from '../../model/schemas/config.ts';
import { check, type Issue } from '../../model/schemas/issue.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';
import { parseYaml } from '../../model/schemas/yaml-document.ts';
import { linkOutside } from '../../workspace/trust-root.ts';
import { rootFor } from '../trust/root.ts';
import { projectFile, type SettingsPlaces, userConfigPath } from './default-settings.ts';

const maxBytes = 1024 * 1024;

/** What one file says, and how to point at it. */
export interface FileLayer {
  readonly layer: ConfigLayer;
  /** Decisions left to agents. Counts in the person's own file only, so it is no part of the layer. */
  readonly delegate: NonNullable<ConfigForm['delegate']>;
  readonly problemAt: (issue: Issue) => Problem;
}

/** A file that is not there says nothing; one that cannot be read is an error, or a typo would undo it silently. */
export function fileLayer(path: string): Result<FileLayer, readonly Problem[]> {
  const text = readText(path, { maxBytes, links: 'follow' });
  if (!text.ok && text.error.why === 'absent') return ok(emptyLayer(path));
  if (!text.ok) return err([problemOf(path, text.error.message)]);
  const document = parseYaml(text.value, path);
  if (!document.ok) return err(document.error);
  const form = check(configForm, document.value.value ?? {});
  if (!form.ok) return err(form.error.map(document.value.problemAt));
  return ok({
    delegate: form.value.delegate ?? {},
    layer: withAbsoluteCassettes(configLayerOf(form.value), dirname(path)),
    problemAt: document.value.problemAt,
  });
}

function emptyLayer(path: string): FileLayer {
  return { layer: {}, delegate: {}, problemAt: ({ message }) => problemOf(path, message) };
}

/** The project's file. A link out of the repository is not read: a line of what it leads to would stand in a message. */
export function projectLayer(projectDir: string): Result<FileLayer, readonly Problem[]> {
  const path = join(projectDir, projectFile);
  const outside = linkOutside(rootFor(projectDir).checkout, path);
  if (outside === null) return fileLayer(path);
  const message = `is a link to ${outside}, outside the repository; copy the file, or put it into ~/.config/tutti`;
  return err([problemOf(path, message)]);
}

/** The person's file and the project's, each as it is written, or what is wrong in both. */
export function readLayers({
  projectDir,
  env,
  home,
  ignoresProject = false,
}: Pick<SettingsPlaces, 'projectDir' | 'env' | 'home' | 'ignoresProject'>): Result<
  { readonly user: FileLayer; readonly project: FileLayer },
  readonly Problem[]
> {
  const user = fileLayer(userConfigPath(env, home));
  const project = ignoresProject ? ok(emptyLayer(join(projectDir, projectFile))) : projectLayer(projectDir);
  if (user.ok && project.ok) return ok({ user: user.value, project: project.value });
  return err([user, project].flatMap((read) => (read.ok ? [] : read.error)));
}

/** A path in a file is relative to that file. */
function withAbsoluteCassettes(layer: ConfigLayer, folder: string): ConfigLayer {
  if (layer.drivers === undefined) return layer;
  const drivers = Object.entries(layer.drivers).map(([name, driver]): [string, DriverConfig] => [
    name,
    'cassette' in driver ? { ...driver, cassette: resolve(folder, driver.cassette) } : driver,
  ]);
  return { ...layer, drivers: Object.fromEntries(drivers) };
}
