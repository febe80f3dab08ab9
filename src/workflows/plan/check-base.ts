import type { Ctx } from '../../kernel/ctx.ts';
import { digest } from '../../lib/digest.ts';
import { plain } from '../../lib/json.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import { type BaseFacts, type BaseRun, describeEnd, withoutLog } from '../../model/plan/base-check.ts';
import { contextWithout } from '../../model/plan/context-demands.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { unlockedSettings } from '../../model/project/unlocked-setup.ts';
import { closed } from '../../model/question.ts';
import { planOperation } from './plan-operation.ts';

export type CheckedBase =
  /** The input with what holds on the base. */
  | { readonly at: 'checked'; readonly input: PlanInput }
  | { readonly at: 'stopped'; readonly failure: Failure };

/**
 * Runs setup and the project's own commands once on the base, before any agent is started. What fails there is a person's
 * matter: no agent heals it, and no task must pass it. The same base and the same commands are never run twice.
 */
export async function checkBase(ctx: Ctx, input: PlanInput): Promise<CheckedBase> {
  const { plan, commandTimeoutMs: timeoutMs, projectType, testCommands, round } = input;
  if (timeoutMs === undefined || projectType === 'new') return { at: 'checked', input };
  let base = await findBase(ctx, input, 1);
  let without: readonly string[] = [];
  // How often the same commands were run on the same files: a later round finds each run and each answer again.
  const times = new Map<string, number>();
  for (let tries = 1; base.setup.length + testCommands.length > 0; tries += 1) {
    const { tree, commit, setup } = base;
    const counts = (command: string): boolean => !without.includes(command);
    const commands = testCommands.filter(counts);
    const about = plain({ tree, setup: setup.filter(counts), commands });
    const time = (times.get(digest(about)) ?? 0) + 1;
    times.set(digest(about), time);
    const id = time === 1 ? 'ingestion/base-run' : `ingestion/base-run-${time}`;
    const run = await planOperation(ctx, input, keyOf(id, about), 'plan-base-run', {
      plan,
      commit,
      without,
      commands,
      timeoutMs,
    });
    const told = plain({ commit, ends: run.ends.map(withoutLog).map(({ output: _output, ...end }) => end) });
    ctx.emit(keyOf(`ingestion/base-told-${tries}`, { told, round }), 'base', told);
    const red = run.ends.filter(({ passed }) => !passed);
    if (red.length === 0) break;
    const undecided = red.filter(({ command }) => input.waivedCommands?.includes(command) !== true);
    const said =
      undecided.length === 0
        ? 'without'
        : await ask(ctx, input, {
            red: undecided,
            time,
            unlocked: setup.length === 0 ? base.unlocked : undefined,
          });
    if (said === 'stop') return { at: 'stopped', failure: redBase(undecided) };
    if (said === 'again') {
      // The person may have committed a fix.
      base = await findBase(ctx, input, tries + 1);
      continue;
    }
    without = [...without, ...red.map(({ command }) => command)];
    // Where setup failed, nothing else was run yet.
    if (!red.some(({ command }) => setup.includes(command))) break;
  }
  const { commit } = base;
  const recordKey = keyOf('ingestion/base-record', { round, commit, without });
  await planOperation(ctx, input, recordKey, 'plan-base-record', { plan, commit, without });
  return {
    at: 'checked',
    input: {
      ...input,
      testCommands: testCommands.filter((command) => !without.includes(command)),
      projectContext: contextWithout(input.projectContext, without),
    },
  };
}

function findBase(ctx: Ctx, input: PlanInput, tries: number): Promise<BaseFacts> {
  const { plan, round } = input;
  const about = tries === 1 ? { round } : { round, tries };
  return planOperation(ctx, input, keyOf('ingestion/base', about), 'plan-base', { plan });
}

interface RedBase {
  readonly red: BaseRun['ends'];
  /** Which run of these commands on these files it is. */
  readonly time: number;
  /** The commands that would install dependencies, where nothing was installed. */
  readonly unlocked: BaseFacts['unlocked'];
}

/** What to write to the settings, where nothing was installed. New commands count once the context is collected again. */
function unlockedWords({ plan, testCommands }: PlanInput, unlocked: BaseFacts['unlocked']): string {
  if (unlocked === undefined) return '';
  const setup = typeof unlocked === 'string' ? [unlocked.split(' ')] : unlocked;
  const { yaml, environment, changesCommands } = unlockedSettings(setup, testCommands);
  const lock = environment === null ? 'commit one, or write' : 'write';
  const ignored = environment === null ? '' : `; git must ignore ${environment}`;
  const then = changesCommands
    ? `. Then answer \`stop\` and plan again: \`tutti plan --plan ${plan} --refresh\``
    : '';
  return `A workspace has only committed files, and no dependencies were installed in it, because the project has no lock file: ${lock} \`${yaml}\` to tutti.yaml${ignored}${then}. `;
}

/** The answer stands in later rounds. After `stop`, planning again reopens the whole step, and with it the question. */
async function ask(
  ctx: Ctx,
  input: PlanInput,
  { red, time, unlocked }: RedBase,
): Promise<'without' | 'again' | 'stop'> {
  const { plan } = input;
  const key = keyOf(`ingestion/base-question-${time}`, plain({ red: red.map(withoutLog) }));
  const { text } = await ctx.ask(key, {
    text:
      `Plan ${plan}: on the base, before any task, ${red.map(describeEnd).join(', ')}. ${unlockedWords(input, unlocked)}` +
      `Continue without ${red.length === 1 ? 'it' : 'them'}, run again after you fixed the cause and committed the fix, or stop?`,
    options: ['without', 'again', 'stop'],
    closed,
    evidence: plain({ ends: red }),
    step: 'ingestion',
  });
  const word = text.trim().toLowerCase();
  return word === 'without' || word === 'again' ? word : 'stop';
}

function redBase(red: BaseRun['ends']): Failure {
  const message = `on the base ${red.map(describeEnd).join(', ')}`;
  return failure('gate', message, { evidence: { output: red.map(({ output }) => output).join('\n\n') } });
}
