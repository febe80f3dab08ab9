import type {
  Definition,
  DefinitionLibrary,
  ExecutorDefinition,
  PhaseGraph,
  StageSequence,
  VerifiedPhases,
} from './definition.ts';
import { type ComposeLayer, layerBelow } from './layer.ts';
import { listCalls } from './lint-prompts.ts';

/** One level beyond the nesting, so that the deepest agent may start a session of its own. */
const spare = 1;

/**
 * The depth that a stack should be given: its nesting and one spare level, and one more for the verification loop of a campaign.
 * In tool mode only the executor nests. Admission does not demand it.
 */
export function recommendDepth(definition: Definition, library: DefinitionLibrary): number {
  const verification = definition.layer === 'campaign' ? 1 : 0;
  return measureNesting(definition, library) + spare + verification;
}

/** How many sessions are nested at most. A layer below that is unknown counts as one in agent mode. */
function measureNesting(definition: Definition, library: DefinitionLibrary): number {
  if (definition.layer === 'executor') return 1;
  const below = layerBelow(definition.layer);
  const found = listCallees(definition).map((name) => library.find(below, name));
  const depths = found.map((each) =>
    each === null ? countAgentLayers(below) : measureNesting(each, library),
  );
  const deepest = depths.length === 0 ? countAgentLayers(below) : Math.max(...depths);
  return definition.work.mode === 'agent' ? deepest + 1 : deepest;
}

function countAgentLayers(layer: ComposeLayer): number {
  return layer === 'executor' ? 1 : countAgentLayers(layerBelow(layer)) + 1;
}

/** Names in the layer below that a configuration or a system prompt calls, each once. */
export function listCallees(definition: Exclude<Definition, ExecutorDefinition>): readonly string[] {
  if (definition.work.mode === 'agent')
    return listCalls(definition.work.agent.systemPrompt, layerBelow(definition.layer));
  return [...new Set(listConfiguredCalls(definition.work))];
}

function listConfiguredCalls(work: StageSequence | PhaseGraph | VerifiedPhases): readonly string[] {
  if ('stages' in work) return work.stages.map(({ executor }) => executor);
  return work.phases.map((phase) => ('orchestrator' in phase ? phase.orchestrator : phase.coordinator));
}
