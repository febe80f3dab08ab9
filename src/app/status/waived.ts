import { isList, isObject, type Json, recorded } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Entry } from '../../model/entry.ts';
import { stepIdOf } from '../../model/key.ts';
import type { ExecuteInput } from '../../model/plan/execute-input.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { Answer, Question } from '../../model/question.ts';
import type { Run } from '../../model/run.ts';
import type { Queries } from '../../model/ports/queries.ts';
import { familyOf } from '../../model/family.ts';

/** Something that happened to a part of a step on its way, and that its end alone does not tell. */
export interface Incident {
  readonly step: string;
  readonly text: string;
}

/** Commands that a person chose to continue without, and the criteria that were not judged for it. */
export async function findWaived(
  queries: Pick<Queries, 'input' | 'plans'>,
  run: Pick<Run, 'id' | 'workflow'>,
  entries: readonly Entry[],
): Promise<readonly Incident[]> {
  if (!familyOf(run).hasTasks) return waivedInRun(entries);
  const { id } = run;
  const { without = [] } = recorded<ExecuteInput>(await queries.input(id));
  const criteria = (await queries.plans.tasks(planOfRunId(id))).flatMap(({ task, state }) =>
    (state.at === 'done' ? state.verification.criteria : [])
      .filter(({ status }) => status === 'WAIVED')
      .map(({ name, evidence }) => ({
        step: task.id,
        text: `criterion '${oneLine(name)}' was ${oneLine(evidence, 500)}`,
      })),
  );
  return [
    ...without.map((command) => waiver('plan', command, 'failed on the base of the plan')),
    ...waivedInRun(entries),
    ...criteria,
  ];
}

/** From the answers to questions about commands. */
export function waivedInRun(entries: readonly Entry[]): readonly Incident[] {
  return entries.flatMap(({ key, kind, state, spec }) => {
    if (kind !== 'ask' || state.at !== 'done' || !isObject(spec)) return [];
    if (recorded<Answer>(state.value).text.trim().toLowerCase() !== 'without') return [];
    const { step = stepIdOf(key), options = [], evidence = null } = recorded<Question>(spec);
    if (!options.includes('without')) return [];
    return commandsIn(evidence).map((command) => waiver(step, command, 'failed'));
  });
}

/** One command of a task or a gate, or all that failed on the base. */
function commandsIn(evidence: Json): readonly string[] {
  if (!isObject(evidence)) return [];
  const { command, argv = null, ends = null } = evidence;
  if (typeof command === 'string') return [command];
  if (isList(argv)) return [argv.filter((word) => typeof word === 'string').join(' ')];
  return isList(ends) ? ends.flatMap(commandsIn) : [];
}

function waiver(step: string, command: string, how: string): Incident {
  return { step, text: `a person chose to continue without \`${oneLine(command, 500)}\`, which ${how}` };
}
