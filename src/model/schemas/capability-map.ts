import * as z from 'zod';
import type { BehaviorType } from '../plan/capability-map.ts';
import { filledText, list, oneOf, text, wanted, wholeNumber, yesOrNo } from './basic-shapes.ts';
import {
  behaviorId,
  capabilityId,
  document,
  documentVersion,
  domainId,
  flowId,
  specRef,
} from './plan-shapes.ts';

const behaviorTypes = [
  'input',
  'process',
  'state',
  'output',
  'activation',
] as const satisfies readonly BehaviorType[];

const most = 1_000_000;

export const behaviorForm = document({
  id: behaviorId,
  name: filledText(),
  type: oneOf(behaviorTypes),
  description: filledText(),
});

const capabilityForm = document({
  id: capabilityId,
  name: filledText(),
  spec_ref: specRef,
  behaviors: list(behaviorForm, 'a list of behaviors').min(1, 'must have at least one behavior'),
});

const domainForm = document({
  id: domainId,
  name: filledText(),
  description: text(),
  capabilities: list(capabilityForm, 'a list of capabilities').min(1, 'must have at least one capability'),
});

const flowStep = document({ order: wholeNumber(0, most), behavior_id: behaviorId, description: text() });

const flowForm = document({
  id: flowId,
  name: filledText(),
  is_steel_thread: yesOrNo(),
  steps: list(flowStep, 'a list of steps').min(1, 'must have at least one step'),
});

const excludedPhase = document({
  phase: wholeNumber(2, most),
  heading: filledText(),
  location: text(),
  summary: text(),
});

/** `artifacts/capability-map.json` */
export const capabilityMapForm = document({
  version: documentVersion,
  spec_checksum: filledText('the SHA-256 of inputs/spec.md'),
  domains: list(domainForm, 'a list of domains').min(1, 'must have at least one domain'),
  flows: list(flowForm, 'a list of flows').min(1, 'must have at least one flow'),
  coverage: document({
    total_requirements: wholeNumber(1, most),
    covered_requirements: wholeNumber(0, most),
    gaps: list(filledText(), 'a list of requirements that are not covered'),
  }),
  phase_filtering: document({
    active_phase: z.literal(1, wanted('1')),
    excluded_phases: list(excludedPhase, 'a list of excluded phases'),
    total_excluded_requirements: wholeNumber(0, most),
  }),
});
