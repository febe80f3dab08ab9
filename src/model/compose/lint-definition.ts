import { didYouMean } from '../../lib/nearest.ts';
import type { Layer } from '../propagation.ts';
import { chooseStages, listModifiers } from './choose-stages.ts';
import type {
  CoordinatorPhase,
  Definition,
  DefinitionLibrary,
  ExecutorDefinition,
  PhaseGraph,
  PromptedLayer,
  SentinelSpec,
  Stage,
  StageSequence,
  VerifiedPhases,
} from './definition.ts';
import { findAction } from './find-action.ts';
import { composeLayers, layerBelow } from './layer.ts';
import { lintDuplicates, lintParts, lintReference, lintStages, phaseKind, stageKind } from './lint-parts.ts';
import {
  lintExecutorPrompt,
  lintLayerPrompt,
  lintSystemPrompt,
  nameWithArticle,
  ordersStageSequence,
} from './lint-prompts.ts';
import { type LintIssue, memberIssue } from './lint-rules.ts';
import { listCallees, recommendDepth } from './recommend-depth.ts';

/** What a definition is checked against. */
export interface LintSurroundings {
  readonly library: DefinitionLibrary;
  /** How deep sessions may nest in this project. */
  readonly maxDepth: number;
}

/** Every rule that a well-formed definition breaks. */
export function lintDefinition(definition: Definition, around: LintSurroundings): readonly LintIssue[] {
  const issues = lintLayer(definition, around.library);
  const depth = recommendDepth(definition, around.library);
  if (depth <= around.maxDepth) return issues;
  const message = `nests up to ${depth - 1} sessions deep: set max_depth to at least ${depth} (now ${around.maxDepth})`;
  return [...issues, memberIssue('depth', [], message)];
}

function lintLayer(definition: Definition, library: DefinitionLibrary): readonly LintIssue[] {
  switch (definition.layer) {
    case 'executor':
      return lintExecutor(definition);
    case 'orchestrator':
      return definition.work.mode === 'agent'
        ? lintPrompted('orchestrator', definition.work)
        : lintOrchestrator(definition.work, library);
    case 'coordinator':
      return definition.work.mode === 'agent'
        ? lintPrompted('coordinator', definition.work)
        : lintCoordinator(definition.work, library);
    case 'campaign':
      return definition.work.mode === 'agent'
        ? lintPrompted('campaign', definition.work)
        : lintCampaign(definition.work, listAuthors(definition, library), library);
  }
}

function lintPrompted(layer: Layer, { agent }: PromptedLayer): readonly LintIssue[] {
  return [...lintSystemPrompt(agent.systemPrompt), ...lintLayerPrompt(layer, agent.systemPrompt)];
}

function lintExecutor({ agent, vocabulary }: ExecutorDefinition): readonly LintIssue[] {
  const actions = vocabulary.kind === 'closed' ? vocabulary.actions : [];
  const names = actions.map(({ name }) => name);
  return [
    ...lintSystemPrompt(agent.systemPrompt),
    ...lintExecutorPrompt(agent.systemPrompt),
    ...lintDuplicates(names, 'action', (at) => ['actions', at, 'name']),
  ];
}

function lintOrchestrator(work: StageSequence, library: DefinitionLibrary): readonly LintIssue[] {
  return [
    ...lintParts(work.stages, stageKind),
    ...lintStages(work),
    ...work.stages.flatMap((stage, at) => lintStageCall(stage, ['stages', at], library)),
  ];
}

function lintStageCall(
  { executor, args }: Stage,
  path: readonly (string | number)[],
  library: DefinitionLibrary,
): readonly LintIssue[] {
  const found = library.find('executor', executor);
  if (found?.layer !== 'executor')
    return [describeUnknown('executor', executor, [...path, 'executor'], library)];
  const actions = found.vocabulary.kind === 'closed' ? found.vocabulary.actions.map(({ name }) => name) : [];
  const [action] = args;
  if (action === undefined) {
    if (actions.length === 0) return [];
    const missing = `the first argument must be an action of ${executor}: ${actions.join(', ')}`;
    return [memberIssue('unknown-action', path, missing)];
  }
  if (findAction(found, action) !== null) return [];
  const message = `executor ${executor} has no action '${action}'${didYouMean(action, actions)}; it has ${actions.join(', ')}`;
  return [memberIssue('unknown-action', [...path, 'args', 0], message)];
}

function lintCoordinator(work: PhaseGraph, library: DefinitionLibrary): readonly LintIssue[] {
  const single =
    work.phases.length === 1
      ? [memberIssue('one-phase', ['phases', 0], 'a coordinator with one phase only calls an orchestrator')]
      : [];
  return [
    ...single,
    ...lintParts(work.phases, phaseKind),
    ...work.phases.flatMap((phase, at) => lintPhaseCall(phase, ['phases', at], library)),
  ];
}

function lintPhaseCall(
  { orchestrator, modifier, args }: CoordinatorPhase,
  path: readonly (string | number)[],
  library: DefinitionLibrary,
): readonly LintIssue[] {
  const found = library.find('orchestrator', orchestrator);
  if (found?.layer !== 'orchestrator')
    return [describeUnknown('orchestrator', orchestrator, [...path, 'orchestrator'], library)];
  const stages = found.work.mode === 'tool' ? found.work.stages.map(({ name }) => name) : [];
  const orders = args.flatMap((text, at) =>
    ordersStageSequence(text, stages)
      ? [
          memberIssue(
            'stage-logic-in-prompt',
            [...path, 'args', at],
            `this argument orders the stages of ${orchestrator}: choose a modifier instead`,
          ),
        ]
      : [],
  );
  // In agent mode the system prompt says which modifiers there are.
  if (found.work.mode === 'agent' || chooseStages(found.work, modifier) !== null) return orders;
  const modifiers = listModifiers(found.work);
  const message = `orchestrator ${orchestrator} has no modifier '${modifier}'${didYouMean(modifier, modifiers)}; it has ${modifiers.join(', ')}`;
  return [...orders, memberIssue('unknown-modifier', [...path, 'modifier'], message)];
}

function lintCampaign(
  work: VerifiedPhases,
  authors: ReadonlySet<string>,
  library: DefinitionLibrary,
): readonly LintIssue[] {
  const names = work.phases.map(({ name }) => name);
  return [
    ...lintParts(work.phases, phaseKind),
    ...work.phases.flatMap(({ coordinator }, at) =>
      library.find('coordinator', coordinator) === null
        ? [describeUnknown('coordinator', coordinator, ['phases', at, 'coordinator'], library)]
        : [],
    ),
    ...work.approvals.flatMap(({ when, phase }, at) =>
      lintReference(phase, names, phaseKind, ['approvals', at, when]),
    ),
    ...lintSentinel(work.sentinel, authors, library),
  ];
}

function lintSentinel(
  { checks, auditor }: SentinelSpec,
  authors: ReadonlySet<string>,
  library: DefinitionLibrary,
): readonly LintIssue[] {
  const names = checks.map(({ name }) => name);
  const path = ['sentinel', 'auditor'];
  return [
    ...lintDuplicates(names, 'check', (at) => ['sentinel', 'checks', at, 'name']),
    ...(library.find('executor', auditor) === null
      ? [describeUnknown('executor', auditor, path, library)]
      : []),
    ...(authors.has(auditor)
      ? [memberIssue('author-audits', path, `executor ${auditor} does the work and cannot audit it`)]
      : []),
  ];
}

/** Executors that a definition calls, through every layer between. */
function listAuthors(definition: Definition, library: DefinitionLibrary): ReadonlySet<string> {
  if (definition.layer === 'executor') return new Set([definition.name]);
  const below = layerBelow(definition.layer);
  const called = listCallees(definition).map((name) => library.find(below, name));
  return new Set(called.flatMap((found) => (found === null ? [] : [...listAuthors(found, library)])));
}

/** A name that its layer does not have. Where another layer has it, the file calls past the layer between. */
function describeUnknown(
  layer: keyof typeof unknownRules,
  name: string,
  path: readonly (string | number)[],
  library: DefinitionLibrary,
): LintIssue {
  const other = composeLayers.find((each) => each !== layer && library.find(each, name) !== null);
  if (other !== undefined) {
    const message = `'${name}' is ${nameWithArticle(other)}, and only ${nameWithArticle(layer)} can be called here`;
    return memberIssue('skipped-layer', path, message);
  }
  const known = library.names(layer);
  const message = known.includes(name)
    ? `the file of ${layer} '${name}' has errors or is not trusted`
    : `there is no ${layer} '${name}'${didYouMean(name, known)}`;
  return memberIssue(unknownRules[layer], path, message);
}

const unknownRules = {
  executor: 'unknown-executor',
  orchestrator: 'unknown-orchestrator',
  coordinator: 'unknown-coordinator',
} as const;
