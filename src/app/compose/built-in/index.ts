import type { ComposeLayer } from '../../../model/compose/layer.ts';
import { researcher, spec } from './executors.ts';
import { evaluator, refinementEvaluator, roadmapWriter } from './judges.ts';
import { campaign, coordinator, coordinatorExample, oresearch, ospec, ospecAgent } from './layers.ts';

/**
 * The definitions that every project has, by layer and name. A project's own definition of the same name comes first. A text that
 * opens with front matter is a system prompt, any other a configuration.
 */
export const builtInDefinitions: Readonly<Record<ComposeLayer, ReadonlyMap<string, string>>> = {
  executor: new Map([
    ['spec', spec],
    ['researcher', researcher],
    ['roadmap-writer', roadmapWriter],
    ['refinement-evaluator', refinementEvaluator],
    ['evaluator', evaluator],
  ]),
  orchestrator: new Map([
    ['ospec', ospec],
    ['ospec-agent', ospecAgent],
    ['oresearch', oresearch],
  ]),
  coordinator: new Map([
    ['coordinator', coordinator],
    ['coordinator-example', coordinatorExample],
  ]),
  campaign: new Map([['campaign', campaign]]),
};
