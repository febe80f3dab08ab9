import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTextBelow } from '../../gates/workspace-file.ts';
import { isSafeName } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Definition, DefinitionLibrary } from '../../model/compose/definition.ts';
import type { ComposeLayer } from '../../model/compose/layer.ts';
import { openRules } from '../../model/schemas/compose-executor.ts';
import { problemOf } from '../../model/schemas/problem.ts';
import { parseAgent } from '../agents/find-agent.ts';
import { type AgentSource, notTrusted } from '../agents/agent-places.ts';
import { builtInDefinitions } from './built-in/index.ts';
import { borrowedPaths, definitionPaths, projectNames } from './definition-places.ts';
import { type Finding, fileFinding, findingAt } from './finding.ts';
import { type DefinitionText, readDefinition, type ReadDefinition } from './read-definition.ts';

/** Larger than any prompt that a person reads. */
export const maxBytes = 1024 * 1024;

/** Null: no file and no built-in definition has the name. */
type FoundDefinition = Result<ReadDefinition, readonly Finding[]> | null;

export interface ComposeLibrary extends DefinitionLibrary {
  readonly read: (layer: ComposeLayer, name: string) => FoundDefinition;
}

/**
 * The definitions of a project: its own files as far as a person trusts them, then the built-in ones. Each is read once, when it
 * is asked for.
 */
export function openLibrary(source: AgentSource): ComposeLibrary {
  const found = new Map<string, FoundDefinition>();
  const read = (layer: ComposeLayer, name: string): FoundDefinition => {
    const key = `${layer} ${name}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const fresh = isSafeName(name) ? lookUp(source, layer, name) : null;
    found.set(key, fresh);
    return fresh;
  };
  return {
    read,
    find: (layer, name) => {
      const entry = read(layer, name);
      return entry?.ok === true ? entry.value.definition : null;
    },
    names: (layer) => {
      const names = new Set([...projectNames(source.paths.root, layer), ...builtInDefinitions[layer].keys()]);
      return [...names].toSorted();
    },
  };
}

function lookUp(source: AgentSource, layer: ComposeLayer, name: string): FoundDefinition {
  const { root } = source.paths;
  const exists = (path: string): boolean => existsSync(join(root, path));
  const own = definitionPaths(layer, name).filter(exists);
  const [first, second] = own;
  const path = first ?? (layer === 'executor' ? borrowedPaths(name).find(exists) : undefined);
  if (path !== undefined && source.trust.counts(path)) {
    if (second !== undefined) return err([describeTwoFiles(path, second)]);
    return first === undefined
      ? borrowExecutor(root, name, path)
      : readProjectFile(source, { layer, name, path });
  }
  const text = builtInDefinitions[layer].get(name);
  if (text !== undefined) {
    const kind = text.startsWith('---\n') ? 'prompt' : 'configuration';
    return readDefinition({ layer, name, source: 'built-in', kind, text, readPrompt: refusePrompt });
  }
  if (path === undefined) return null;
  return err([findingAt('unreadable', problemOf(null, `${layer} ${name} ${notTrusted}`))]);
}

function refusePrompt(path: string): Result<string, string> {
  return err(`${path} does not exist`);
}

export function describeTwoFiles(path: string, other: string): Finding {
  return fileFinding('two-files', other, `${path} defines the same name: keep one of them`);
}

/** Reads a file below `compose/`, wherever its links lead in the project. The prompt that it names counts by itself. */
export function readProjectFile(
  { paths: { root }, trust }: AgentSource,
  { layer, name, path }: { readonly layer: ComposeLayer; readonly name: string; readonly path: string },
): Result<ReadDefinition, readonly Finding[]> {
  const text = readDefinitionText(root, path);
  if (!text.ok) return err([text.error]);
  const file = { layer, name, source: path, text: text.value };
  return readFileText(file, join(root, dirname(path)), (prompt) => trust.counts(join(dirname(path), prompt)));
}

/** Reads the text of a file. `folder`: where the file stands, and where the prompts are that it names. `counts`: which of them a person trusts. */
export function readFileText(
  file: Pick<DefinitionText, 'layer' | 'name' | 'source' | 'text'>,
  folder: string,
  counts: (prompt: string) => boolean,
): Result<ReadDefinition, readonly Finding[]> {
  return readDefinition({
    ...file,
    kind: file.source.endsWith('.md') ? 'prompt' : 'configuration',
    readPrompt: (prompt) =>
      counts(prompt) ? readTextBelow(folder, prompt, maxBytes) : err(`${prompt} ${notTrusted}`),
  });
}

/** An agent, a skill or a command of the project as an executor: every word is an action of it. */
function borrowExecutor(
  root: string,
  name: string,
  path: string,
): Result<ReadDefinition, readonly Finding[]> {
  const text = readDefinitionText(root, path);
  if (!text.ok) return err([text.error]);
  const agent = parseAgent(name, text.value, path);
  if (!agent.ok) return err([findingAt('form', agent.error)]);
  const { description, source, tier } = agent.value;
  const definition: Definition = {
    layer: 'executor',
    name,
    description,
    source,
    agent: agent.value,
    vocabulary: { kind: 'open', rules: openRules(tier) },
  };
  return ok({ definition, locate: ({ rule, message }) => fileFinding(rule, path, message) });
}

function readDefinitionText(root: string, path: string): Result<string, Finding> {
  const text = readTextBelow(root, path, maxBytes);
  if (text.ok) return text;
  // The finding names the file already.
  const message = text.error.startsWith(`${path} `) ? text.error.slice(path.length + 1) : text.error;
  return err(fileFinding('unreadable', path, message));
}
