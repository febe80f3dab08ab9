import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { isSafeName } from '../../lib/ids.ts';
import { realPathBelow } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { ComposeLayer } from '../../model/compose/layer.ts';
import { quoted } from '../../model/schemas/code-frame.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { definitionPaths, layerPath } from './definition-places.ts';
import { type TemplateMode, writeTemplate } from './templates.ts';

/** Writes the file of a new definition and never replaces one. Returns its path, relative to the project. */
export function createDefinition(
  root: string,
  layer: ComposeLayer,
  name: string,
  mode: TemplateMode,
): Result<string, Refusal> {
  if (!isSafeName(name)) {
    const message = `${quoted(name)} is no name for a definition: use letters, digits, "_" and "-", at most 64, and start with a letter or digit`;
    return err(refusal('USAGE', message, `choose another name: tutti compose new ${layer} NAME`));
  }
  const folder = layerPath(layer);
  const outside = ['compose', folder]
    .filter((path) => existsSync(join(root, path)))
    .map((path) => realPathBelow(root, path))
    .find((path) => !path.ok);
  if (outside !== undefined && !outside.ok)
    return err(refusal('USAGE', outside.error, 'look at the link: ls -l compose'));
  const existing = definitionPaths(layer, name).find((path) => existsSync(join(root, path)));
  if (existing !== undefined) {
    const hint = `edit it, then check it: tutti compose lint ${existing}`;
    return err(refusal('USAGE', `${existing} already exists`, hint));
  }
  const { ending, text } = writeTemplate(layer, name, mode);
  const path = `${folder}/${name}.${ending}`;
  try {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, path), text, { flag: 'wx' });
    return ok(path);
  } catch (error) {
    const message = `cannot write ${path} in ${root} (${errorCode(error)})`;
    return err(refusal('UNAVAILABLE', message, `look at the folder: ls -la ${root}`));
  }
}
