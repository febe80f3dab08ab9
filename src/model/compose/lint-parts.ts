import { getKnown } from '../../lib/get-known.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { graphOf } from '../graph.ts';
import { listBefore, orderParts } from './choose-stages.ts';
import type { Part, Stage, StageSequence } from './definition.ts';
import { definesRole } from './lint-prompts.ts';
import { type LintIssue, type LintRuleId, memberIssue } from './lint-rules.ts';

/** What parts are called in their file, and the rule for a name that none of them has. */
interface PartKind {
  readonly member: 'stages' | 'phases';
  readonly noun: 'stage' | 'phase';
  readonly unknown: LintRuleId;
}

export const stageKind: PartKind = { member: 'stages', noun: 'stage', unknown: 'unknown-stage' };
export const phaseKind: PartKind = { member: 'phases', noun: 'phase', unknown: 'unknown-phase' };

/** What holds for the parts of every layer: their names, their graph and their arguments. */
export function lintParts(parts: readonly Part[], kind: PartKind): readonly LintIssue[] {
  const { member, noun } = kind;
  const names = parts.map(({ name }) => name);
  const needs = parts.flatMap((part, at) =>
    (part.needs ?? []).flatMap((need, index) =>
      lintReference(need, names, kind, [member, at, 'needs', index]),
    ),
  );
  const duplicates = lintDuplicates(names, noun, (at) => [member, at, 'name']);
  const isSound = needs.length + duplicates.length === 0;
  return [...duplicates, ...needs, ...(isSound ? lintCycle(parts, kind) : []), ...lintRoles(parts, member)];
}

export function lintDuplicates(
  names: readonly string[],
  noun: string,
  pathOf: (at: number) => readonly (string | number)[],
): readonly LintIssue[] {
  return names.flatMap((name, at) =>
    names.indexOf(name) === at
      ? []
      : [memberIssue('duplicate-name', pathOf(at), `another ${noun} has the name '${name}'`)],
  );
}

/** A name in a file that must be one of its own parts. */
export function lintReference(
  name: string,
  names: readonly string[],
  { noun, unknown }: Pick<PartKind, 'noun' | 'unknown'>,
  path: readonly (string | number)[],
): readonly LintIssue[] {
  if (names.includes(name)) return [];
  return [memberIssue(unknown, path, `there is no ${noun} '${name}'${didYouMean(name, names)}`)];
}

function lintCycle(parts: readonly Part[], { member, noun }: PartKind): readonly LintIssue[] {
  const graph = graphOf(orderParts(parts));
  if (graph.ok) return [];
  const cycles = graph.error.filter((problem) => problem.kind === 'cycle');
  return cycles.map(({ path }) => {
    const at = parts.findIndex(({ name }) => name === path[0]);
    const message = `these ${noun}s wait for each other: ${path.join(' → ')}`;
    return memberIssue('cycle', [member, at, 'needs'], message);
  });
}

function lintRoles(parts: readonly Part[], member: PartKind['member']): readonly LintIssue[] {
  return parts.flatMap(({ args }, at) =>
    args.flatMap((text, index) =>
      definesRole(text)
        ? [
            memberIssue(
              'role-in-prompt',
              [member, at, 'args', index],
              'this argument defines a role: put the role into the system prompt, and say here what to do',
            ),
          ]
        : [],
    ),
  );
}

/** What holds for the stages of an orchestrator beyond their graph. */
export function lintStages({ stages, modifiers }: StageSequence): readonly LintIssue[] {
  const names = stages.map(({ name }) => name);
  const listed = Object.entries(modifiers).flatMap(([modifier, chosen]) => [
    ...chosen.flatMap((name, at) => lintReference(name, names, stageKind, ['modifiers', modifier, at])),
    ...lintDuplicates(chosen, 'stage of this modifier', (at) => ['modifiers', modifier, at]),
  ]);
  const single = stages.length > 1 ? [] : stages;
  return [
    ...single.map(({ executor }) =>
      memberIssue(
        'one-stage',
        ['stages', 0],
        `an orchestrator with one stage only wraps executor ${executor}: use that executor, or add stages`,
      ),
    ),
    ...listed,
    ...lintInputs(stages, names),
    ...lintCompression(stages),
  ];
}

function lintInputs(stages: readonly Stage[], names: readonly string[]): readonly LintIssue[] {
  const before = listBefore(orderParts(stages));
  return stages.flatMap(({ name, inputs }, at) =>
    inputs.flatMap((input, index) => {
      const path = ['stages', at, 'inputs', index];
      const unknown = lintReference(input, names, stageKind, path);
      if (unknown.length > 0 || getKnown(before, name).has(input)) return unknown;
      const message = `stage '${name}' does not wait for '${input}': add '${input}' to its needs`;
      return [memberIssue('late-input', path, message)];
    }),
  );
}

function lintCompression(stages: readonly Stage[]): readonly LintIssue[] {
  return stages.flatMap(({ onDepth }, at) => {
    const rigid = onDepth === 'compress' ? stages.slice(at).find((stage) => !stage.compressible) : undefined;
    if (rigid === undefined) return [];
    const message = `cannot compress: stage '${rigid.name}' does not have \`compressible: true\``;
    return [memberIssue('not-compressible', ['stages', at, 'on_depth'], message)];
  });
}
