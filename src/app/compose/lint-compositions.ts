import { basename, dirname, resolve } from 'node:path';
import { readText } from '../../lib/read-text.ts';
import { err, type Result } from '../../lib/result.ts';
import type { DefinitionLibrary } from '../../model/compose/definition.ts';
import { composeLayers, type ComposeLayer, layerFolders } from '../../model/compose/layer.ts';
import { lintDefinition } from '../../model/compose/lint-definition.ts';
import { describeTwoFiles, maxBytes, openLibrary, readFileText, readProjectFile } from './compose-library.ts';
import {
  definitionEndings,
  listDefinitionFiles,
  listStrayFiles,
  readDefinitionName,
} from './definition-places.ts';
import { type Finding, fileFinding } from './finding.ts';
import type { ReadDefinition } from './read-definition.ts';

/** The project whose definitions are checked. */
export interface LintedProject {
  readonly root: string;
  readonly maxDepth: number;
}

export interface LintReport {
  /** How many files were checked. */
  readonly files: number;
  readonly findings: readonly Finding[];
}

/** Checks every file below `compose/`, trusted or not: it reads them and runs nothing. */
export function lintProject(project: LintedProject): LintReport {
  const { root } = project;
  const library = openForLint(root);
  const stray = listStrayFiles(root).map((path) =>
    fileFinding('file-name', path, `no layer uses this name: ${describeNames()}`),
  );
  const files = composeLayers.flatMap((layer) => listDefinitionFiles(root, layer));
  const findings = files.flatMap((file) => {
    const twin = files.find(({ layer, name }) => layer === file.layer && name === file.name);
    if (twin !== undefined && twin !== file) return [describeTwoFiles(twin.path, file.path)];
    return lintRead(
      readProjectFile({ paths: { root }, trust: { counts: anything } }, file),
      library,
      project.maxDepth,
    );
  });
  return { files: files.length + stray.length, findings: [...stray, ...findings] };
}

/** Checks files that a person named, wherever they are. `layer`: of files whose folder does not tell it. */
export function lintFiles(
  project: LintedProject,
  paths: readonly string[],
  folder: string,
  layer: ComposeLayer | undefined,
): LintReport {
  const library = openForLint(project.root);
  const findings = paths.flatMap((path) =>
    lintRead(readNamedFile(path, resolve(folder, path), layer), library, project.maxDepth),
  );
  return { files: paths.length, findings };
}

function readNamedFile(
  shown: string,
  path: string,
  chosen: ComposeLayer | undefined,
): Result<ReadDefinition, readonly Finding[]> {
  const text = readText(path, { maxBytes, links: 'follow' });
  if (!text.ok && text.error.why === 'absent')
    return err([fileFinding('unreadable', shown, 'does not exist')]);
  const above = basename(dirname(path));
  const layer = chosen ?? composeLayers.find((each) => layerFolders[each] === above);
  const name = readDefinitionName(basename(path));
  if (layer === undefined || name === null)
    return err([fileFinding('file-name', shown, `no layer uses this name: ${describeNames()}`)]);
  if (!text.ok) return err([fileFinding('unreadable', shown, text.error.message)]);
  return readFileText({ layer, name, source: shown, text: text.value }, dirname(path), anything);
}

/** A look at files starts nothing that they name. */
const anything = (): boolean => true;

function lintRead(
  read: Result<ReadDefinition, readonly Finding[]>,
  library: DefinitionLibrary,
  maxDepth: number,
): readonly Finding[] {
  if (!read.ok) return read.error;
  const { definition, locate } = read.value;
  return lintDefinition(definition, { library, maxDepth }).map(locate);
}

/** Names are looked up whether or not a person trusts their files yet. */
function openForLint(root: string): DefinitionLibrary {
  return openLibrary({ paths: { root }, trust: { counts: anything } });
}

function describeNames(): string {
  return `use compose/{${Object.values(layerFolders).join(',')}}/NAME.{${definitionEndings.join(',')}}`;
}
