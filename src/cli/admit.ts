import { relative } from 'node:path';
import { untrustedSurfaces } from '../app/consent/describe.ts';
import { giveTrust, workWithout } from '../app/consent/give-trust.ts';
import {
  describeNeeded,
  type NeededTrust,
  neededTrust,
  pathInCheckout,
  refuseMistakes,
  type Wanted,
} from '../app/consent/needed-trust.ts';
import { identifyCaller } from '../app/people/identify-caller.ts';
import { findPlan, projectOfPlan } from '../app/plans/find-plan.ts';
import { findProject, pathsOf } from '../app/project.ts';
import { refusal, type Refusal } from '../app/refusal.ts';
import { refuseUnwritable } from '../app/trust/refuse-unwritable.ts';
import { refuseState } from '../app/trust/state-mark.ts';
import { named as listed } from '../model/trust.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { shellWord } from '../lib/shell-word.ts';
import { oneLine } from '../lib/terminal-text.ts';
import type { JsonFlag, TrustFlag } from './define-command.ts';
import { confirmed } from './confirm.ts';
import type { Context } from './context.ts';
import { askAboutMoved } from './moved-state.ts';
import type { PlanFlags } from './plan-project.ts';
import { trustLines } from './render/trust-lines.ts';
import { lookInto } from './project.ts';

/** What the command uses; a trial of a driver does not use the state of the project. */
interface Admitted extends Pick<Wanted, 'flow' | 'template' | 'definition' | 'target'> {
  readonly usesState?: boolean;
  /** A run that it continues, if there is one; true: some run. A run that was started with `--no-trust` keeps to that. */
  readonly continues?: string | true | undefined;
  /** What else makes the command impossible, whatever is trusted; null: nothing. */
  readonly refuse?: () => Promise<Refusal | null>;
}

/**
 * Asks once for everything that the command is about to use and no person trusted as it is now. Without a terminal it is
 * refused, because working without what the project configures would be another piece of work than the one asked for. A
 * project that the command could not use anyway is refused first: no trust is recorded for nothing.
 */
export async function admit(
  context: Context,
  { trust, json }: TrustFlag & JsonFlag,
  { usesState = true, continues, refuse, ...wanted }: Admitted = {},
): Promise<Result<null, Refusal>> {
  const { env, folder, input, process, caller } = context;
  const isAgent = identifyCaller(caller).kind === 'agent';
  await askAboutMoved(context, { json });
  const all = neededTrust({ folder, env, ...wanted });
  const paths = pathsOf(findProject(folder));
  const unusable = usesState
    ? (refuseState(paths, env) ?? refuseUnwritable(paths, env, all.length > 0))
    : null;
  if (unusable !== null) return err(unusable);
  const mistakes = all.length > 0 ? refuseMistakes({ folder, env }) : null;
  if (mistakes !== null) return err(mistakes);
  const refused = (await refuse?.()) ?? null;
  if (refused !== null) return err(refused);
  const keepsChoice = continues === true || (continues !== undefined && (await isKnown(context, continues)));
  if (all.length === 0 && trust === undefined && usesState && !json && !isAgent)
    for (const line of withheldLines(context)) process.stderr.write(`${line}\n`);
  for (const needed of all) {
    if (trust === undefined && needed.isDeclined && keepsChoice) {
      if (!json) process.stderr.write(`${workingWithout(context, needed)}\n`);
      continue;
    }
    if (trust === false) {
      // A trial has no run that could be continued, and its report names what is not trusted.
      const without = usesState ? workWithout(context, needed) : ok(null);
      if (!without.ok) return without;
      // Without a file that was named the command is refused.
      if (usesState && !json && neededFile(needed) === undefined)
        process.stderr.write(`${workingWithout(context, needed)}\n`);
      continue;
    }
    if (trust !== true) {
      if (!input.isTerminal || json || isAgent) return err(notTrusted(context, needed));
      process.stderr.write(`${trustLines(needed.trust, 'news').join('\n')}\n`);
      const question = 'Trust it, as it is now?';
      const may = await confirmed(context, { question, force: false, json, flag: '--trust' });
      if (!may.ok) return may;
      if (!may.value) return err(notTrusted(context, needed));
    }
    const given = await giveTrust(context, needed);
    if (!given.ok) return given;
  }
  return ok(null);
}

/** `admit` for a command that works on a plan, whose target may be another repository. */
export async function admitPlan(
  context: Context,
  flags: TrustFlag & PlanFlags,
  runOf: (plan: string) => string,
): Promise<Result<null, Refusal>> {
  const place = { ...context, folder: projectOfPlan({ ...context, plan: flags.plan }) };
  const plan = await lookInto(place, async (tutti) => {
    const found = await findPlan(tutti, flags.plan);
    return found.ok ? found.value.plan : undefined;
  });
  return admit(place, flags, {
    target: plan?.targetDir,
    continues: plan === undefined ? undefined : runOf(plan.name),
  });
}

async function isKnown(context: Context, run: string): Promise<boolean> {
  return (await lookInto(context, async ({ queries }) => (await queries.run(run)) !== null)) ?? false;
}

/** What a repository brings for agent CLIs is no reason to ask: agents are kept from it. */
function withheldLines({ folder, env }: Context): readonly string[] {
  const withheld = untrustedSurfaces(findProject(folder), env).filter(
    ({ cli, power }) => cli !== 'tutti' && power === 'acts',
  );
  return withheld.length === 0
    ? []
    : [
        `agents work without ${listed(withheld)}, which you have not trusted as it is now; to use it: tutti trust`,
      ];
}

function workingWithout(context: Context, needed: NeededTrust): string {
  const { needs } = needed;
  const left = oneLine(needs.join(', '), 300);
  const them = needs.length === 1 ? 'it' : 'them';
  return `working without ${left}, as you chose with --no-trust; to use ${them}: ${trustCommand(context, needed)}`;
}

function notTrusted(context: Context, needed: NeededTrust): Refusal {
  // Without the file that was named there is nothing to do.
  const without = neededFile(needed) === undefined ? '; to work without it: --no-trust' : '';
  return refusal(
    'USAGE',
    describeNeeded(needed),
    `look at it: ${trustCommand(context, needed)}; in a script: --trust${without}`,
  );
}

/** Shows what is needed and asks about it. */
function trustCommand({ folder: here }: Context, needed: NeededTrust): string {
  const path = neededFile(needed) ?? (needed.folder === findProject(here) ? null : needed.folder);
  return path === null ? 'tutti trust' : `tutti trust ${shellWord(relative(here, path) || '.')}`;
}

/** Of a flow and its prompts, the flow leads to all. */
function neededFile({ needs, folder, files }: NeededTrust): string | undefined {
  return files.some((one) => needs.includes(pathInCheckout(folder, one))) ? files[0] : undefined;
}
