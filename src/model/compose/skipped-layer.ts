import { isObject } from '../../lib/json.ts';
import type { Layer } from '../propagation.ts';
import { composeLayers, layerBelow } from './layer.ts';
import { nameWithArticle } from './lint-prompts.ts';
import { type LintIssue, memberIssue } from './lint-rules.ts';

/** Members by which a stage or a phase would do work without the layer below. */
const directWork = ['agent', 'command', 'prompt', 'spawn', 'system_prompt'] as const;

/**
 * Where the configuration of a layer calls past the layer below. It looks at the file as its author wrote it, because such a
 * file has no form that a definition could be built from.
 */
export function findSkippedLayers(layer: Layer, value: unknown): readonly LintIssue[] {
  if (!isObject(value)) return [];
  const list = layer === 'orchestrator' ? 'stages' : 'phases';
  const parts = value[list];
  const below = layerBelow(layer);
  const wrong = [...composeLayers.filter((each) => each !== below), ...directWork];
  const calls = listParts(parts).flatMap((part, at) =>
    wrong
      .filter((member) => isObject(part) && Object.hasOwn(part, member))
      .map((member) =>
        memberIssue(
          'skipped-layer',
          [list, at, member],
          `${nameWithArticle(layer)} calls only ${below}s: name one with "${below}"`,
        ),
      ),
  );
  const stages =
    layer !== 'orchestrator' && Object.hasOwn(value, 'stages')
      ? [memberIssue('skipped-layer', ['stages'], `${nameWithArticle(layer)} has phases, and no stages`)]
      : [];
  const prompts = ['system_prompt', 'system_prompt_file'].filter((member) => Object.hasOwn(value, member));
  const message = `a configuration of ${nameWithArticle(layer)} has no system prompt: with one it is an executor, or belongs in a Markdown file`;
  return [...prompts.map((member) => memberIssue('wraps-spawn', [member], message)), ...stages, ...calls];
}

function listParts(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
