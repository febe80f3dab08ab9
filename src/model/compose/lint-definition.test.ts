import { expect, test } from 'vitest';
import type { Agent } from '../agent.ts';
import {
  buildCampaign,
  buildPhases,
  buildStages,
  campaignForm,
  coordinatorForm,
  orchestratorForm,
} from '../schemas/compose-configuration.ts';
import { buildExecutor } from '../schemas/compose-executor.ts';
import type { Definition, DefinitionLibrary } from './definition.ts';
import { findAction } from './find-action.ts';
import type { ComposeLayer } from './layer.ts';
import { lintDefinition } from './lint-definition.ts';
import { recommendDepth } from './recommend-depth.ts';
import { findSkippedLayers } from './skipped-layer.ts';

const agent: Agent = {
  name: 'x',
  description: '',
  systemPrompt: 'You are a conductor.',
  driver: null,
  tier: 'high',
  result: 'required',
  minTools: null,
  tools: [],
  model: null,
  skills: [],
  allow: [],
  source: 'built-in',
};

const head = (name: string) => ({ name, description: '', source: 'built-in' });
const spec = buildExecutor(
  { actions: [{ name: 'PLAN' }, { name: 'TEST' }] },
  head('spec'),
  'You are an engineer.',
);

const tool = {
  orchestrator: (name: string, executor = 'spec'): Definition => ({
    layer: 'orchestrator',
    ...head(name),
    work: buildStages(
      orchestratorForm.parse({
        stages: [
          { name: 'a', executor, args: ['PLAN'] },
          { name: 'b', executor, args: ['TEST'] },
        ],
      }),
    ),
  }),
  coordinator: (name: string, orchestrators: readonly string[]): Definition => ({
    layer: 'coordinator',
    ...head(name),
    work: buildPhases(
      coordinatorForm.parse({
        phases: orchestrators.map((orchestrator) => ({ name: orchestrator, orchestrator })),
      }),
    ),
  }),
  campaign: (name: string, coordinator: string, auditor = 'judge'): Definition => ({
    layer: 'campaign',
    ...head(name),
    work: buildCampaign(
      campaignForm.parse({
        phases: [{ name: 'p', coordinator }],
        sentinel: { checks: [{ name: 't', command: ['true'] }], auditor },
      }),
    ),
  }),
};

function prompted(layer: Exclude<ComposeLayer, 'executor'>, name: string, systemPrompt: string): Definition {
  return {
    layer,
    ...head(name),
    work: { mode: 'agent', agent: { ...agent, systemPrompt }, timeoutMs: null },
  };
}

function library(...definitions: readonly Definition[]): DefinitionLibrary {
  return {
    find: (layer, name) => definitions.find((each) => each.layer === layer && each.name === name) ?? null,
    names: (layer) => [
      ...definitions.filter((each) => each.layer === layer).map(({ name }) => name),
      'broken',
    ],
  };
}

test('the recommended depth is that of the nesting and one spare level, in both modes', () => {
  const [o, c] = [tool.orchestrator('o'), tool.coordinator('c', ['o', 'o2'])];
  const o2 = prompted('orchestrator', 'o2', 'You call `tutti executor spec`.');
  const all = library(spec, o, o2, c);
  const depth = (definition: Definition): number => recommendDepth(definition, all);
  expect(depth(spec)).toBe(2);
  expect(depth(o)).toBe(2);
  expect(depth(o2)).toBe(3);
  expect(depth(c)).toBe(3);
  expect(depth(tool.coordinator('d', ['o']))).toBe(2);
  expect(depth(tool.campaign('k', 'c'))).toBe(4);
  expect(depth(prompted('coordinator', 'e', 'You call `tutti orchestrator o`.'))).toBe(3);
  expect(depth(prompted('coordinator', 'e', 'You call orchestrators.'))).toBe(4);
  expect(depth(prompted('campaign', 'm', 'You call coordinators.'))).toBe(6);
  expect(depth(tool.coordinator('f', ['unknown']))).toBe(3);
});

test('a stack that needs more depth than the project allows gets advice', () => {
  const campaign = prompted('campaign', 'm', 'You are a controller. Call `tutti coordinator c`.');
  const issues = lintDefinition(campaign, { library: library(spec), maxDepth: 5 });
  expect(issues).toMatchObject([{ rule: 'depth', message: expect.stringContaining('at least 6') }]);
  expect(lintDefinition(campaign, { library: library(spec), maxDepth: 6 })).toEqual([]);
});

test('a name that exists and cannot be used is not called unknown', () => {
  const around = { library: library(spec), maxDepth: 9 };
  const [first] = lintDefinition(tool.orchestrator('o', 'broken'), around);
  expect(first).toMatchObject({
    rule: 'unknown-executor',
    message: "the file of executor 'broken' has errors or is not trusted",
  });
});

test('the auditor may not be an executor that works below the campaign', () => {
  const judge = buildExecutor({}, head('judge'), 'You are a judge.');
  const all = library(spec, judge, tool.orchestrator('o'), tool.coordinator('c', ['o', 'gone']));
  const rules = (auditor: string): unknown =>
    lintDefinition(tool.campaign('k', 'c', auditor), { library: all, maxDepth: 9 }).map(({ rule }) => rule);
  expect(rules('judge')).toEqual([]);
  expect(rules('spec')).toEqual(['author-audits']);
  expect(rules('c')).toEqual(['skipped-layer']);
});

test('a coordinator with one phase gets advice', () => {
  const around = { library: library(spec, tool.orchestrator('o')), maxDepth: 9 };
  expect(lintDefinition(tool.coordinator('c', ['o']), around)).toMatchObject([{ rule: 'one-phase' }]);
});

test('an executor without actions accepts every action by its own rules', () => {
  const open = buildExecutor({ tier: 'low', writes: ['a/*'] }, head('open'), 'You are open.');
  expect(findAction(open, 'ANY')).toMatchObject({ name: 'ANY', tier: 'low', writes: ['a/*'], args: [] });
  expect(findAction(spec, 'PLAN')).toMatchObject({ tier: 'medium' });
  expect(findAction(spec, 'SING')).toBeNull();
  const orchestrator = tool.orchestrator('o', 'open');
  expect(lintDefinition(orchestrator, { library: library(open), maxDepth: 9 })).toEqual([]);
});

test('a file that is no mapping, or has no list of parts, skips no layer', () => {
  expect(findSkippedLayers('orchestrator', null)).toEqual([]);
  expect(findSkippedLayers('campaign', { phases: 'none' })).toEqual([]);
  expect(findSkippedLayers('coordinator', { phases: [7, null, { orchestrator: 'o' }] })).toEqual([]);
});
