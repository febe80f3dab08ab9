import type { Agent } from '../../model/agent.ts';
import { orderParts } from '../../model/compose/choose-stages.ts';
import type {
  Definition,
  DefinitionLibrary,
  ExecutorDefinition,
  Part,
  SentinelSpec,
} from '../../model/compose/definition.ts';
import { recommendDepth } from '../../model/compose/recommend-depth.ts';
import type { GateSpec } from '../../model/flow.ts';
import type { Output } from '../../model/schemas/published.ts';

type Shown = Output<'compose-show'>;

/** How a definition works: `tool`, `agent`, or null for an executor. */
function findMode(definition: Definition): 'tool' | 'agent' | null {
  return definition.layer === 'executor' ? null : definition.work.mode;
}

export function describeRow(definition: Definition): Output<'compose-row'> {
  const { layer, name, description, source } = definition;
  return { layer, name, mode: findMode(definition), description, file: source };
}

/** Everything that a definition says, with its defaults. */
export function describeDefinition(definition: Definition, library: DefinitionLibrary): Shown {
  const { name, description, source } = definition;
  const head = { name, description, file: source, recommended_depth: recommendDepth(definition, library) };
  if (definition.layer === 'executor') return { ...head, ...describeExecutor(definition) };
  const { layer, work } = definition;
  if (work.mode === 'agent')
    return { layer, mode: 'agent', ...head, ...describeAgent(work.agent), timeout_ms: work.timeoutMs };
  if ('stages' in work) {
    const order = listNeeds(work.stages);
    const stages = work.stages.map((stage, at) => ({
      ...describePart(stage, order[at]),
      executor: stage.executor,
      tier: stage.tier,
      retry: stage.retryMax,
      inputs: stage.inputs,
      on_depth: stage.onDepth,
      compressible: stage.compressible,
    }));
    return { layer: 'orchestrator', mode: 'tool', ...head, stages, modifiers: work.modifiers };
  }
  if ('sentinel' in work) {
    const order = listNeeds(work.phases);
    return {
      layer: 'campaign',
      mode: 'tool',
      ...head,
      phases: work.phases.map((phase, at) => ({
        ...describePart(phase, order[at]),
        coordinator: phase.coordinator,
      })),
      sentinel: describeSentinel(work.sentinel),
      approvals: work.approvals,
      until:
        work.until === null ? null : { gates: work.until.gates.map(describeGate), rounds: work.until.rounds },
    };
  }
  const order = listNeeds(work.phases);
  const phases = work.phases.map((phase, at) => ({
    ...describePart(phase, order[at]),
    orchestrator: phase.orchestrator,
    modifier: phase.modifier,
    retry: phase.retryMax,
  }));
  return { layer: 'coordinator', mode: 'tool', ...head, phases };
}

function describeExecutor({ agent, vocabulary }: ExecutorDefinition) {
  const actions =
    vocabulary.kind === 'open'
      ? null
      : vocabulary.actions.map(({ timeoutMs, gates, ...action }) => ({
          ...action,
          gates: gates.map(describeGate),
          timeout_ms: timeoutMs,
        }));
  const { tools, skills, allow } = agent;
  return { layer: 'executor', mode: null, ...describeAgent(agent), tools, skills, allow, actions } as const;
}

function describeAgent({ tier, driver, model, systemPrompt }: Agent) {
  return { tier, driver, model, system_prompt: systemPrompt };
}

function listNeeds(parts: readonly Part[]): readonly (readonly string[])[] {
  return orderParts(parts).map(({ needs }) => needs);
}

function describePart(part: Part, needs: readonly string[] = []) {
  return {
    name: part.name,
    args: part.args,
    needs,
    required: part.required,
    timeout_ms: part.timeoutMs,
  };
}

function describeSentinel(sentinel: SentinelSpec) {
  return {
    checks: sentinel.checks.map(({ argv, timeoutMs, ...rest }) => ({
      ...rest,
      command: argv,
      timeout_ms: timeoutMs,
    })),
    auditor: sentinel.auditor,
    auditor_tier: sentinel.auditorTier,
    auditor_driver: sentinel.auditorDriver,
    fix_warnings: sentinel.fixWarnings,
  };
}

function describeGate(gate: GateSpec) {
  if (gate.kind !== 'command') return gate;
  return { kind: gate.kind, command: gate.argv, timeout_ms: gate.timeoutMs };
}
