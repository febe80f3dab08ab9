import { agentPrograms, agentVariables } from '../../drivers/cli-facts.ts';
import { isSafeId } from '../../lib/ids.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import { isCommandGroup, isGroupName } from '../../runtime/limits/group.ts';
import { markerVariable } from '../../runtime/process-spec.ts';

/** Who calls: a person, or an agent with the sign that gave it away. */
export type Caller =
  | { readonly kind: 'person'; readonly name: string }
  | {
      readonly kind: 'agent';
      readonly name: string;
      /** The session that it belongs to, where that is known. */
      readonly session: string | null;
      readonly sign: string;
    };

/**
 * An agent is what comes from a session or a step of Tutti, or from a tool of an agent CLI. Any one sign is enough, in the
 * caller or in a process it comes from, because each way to hide one of them leaves another.
 */
export function identifyCaller(facts: CallerFacts): Caller {
  return (
    bySession(facts) ??
    byStep(facts) ??
    byProgram(facts) ??
    byVariable(facts) ??
    byGroup(facts) ??
    person(facts)
  );
}

function person({ user }: CallerFacts): Caller {
  return { kind: 'person', name: `user:${user.name}` };
}

function bySession(facts: CallerFacts): Caller | null {
  const ids = facts.variable('TUTTI_SESSION_ID');
  if (ids.length === 0) return null;
  const session = ids.find(isSafeId) ?? null;
  return agent(`session:${session ?? 'unknown'}`, 'TUTTI_SESSION_ID', session);
}

/** A command of a flow or a plan: agents write plans, and gates run what they wrote. */
function byStep(facts: CallerFacts): Caller | null {
  const [marker] = facts.variable(markerVariable);
  return marker === undefined ? null : agent(`step:${oneLine(marker, 200)}`, markerVariable);
}

function byProgram(facts: CallerFacts): Caller | null {
  for (const { pid, names } of facts.programs()) {
    const name = names.find((each) => agentPrograms.has(each));
    if (name !== undefined) return agent(name, `process ${pid}`);
  }
  return null;
}

function byVariable(facts: CallerFacts): Caller | null {
  for (const [variable, name] of agentVariables)
    if (facts.variable(variable).length > 0) return agent(name, variable);
  return null;
}

function byGroup(facts: CallerFacts): Caller | null {
  const group = facts.groups().find(isGroupName);
  if (group === undefined) return null;
  return agent(isCommandGroup(group) ? 'a step' : 'a session', `control group ${oneLine(group, 200)}`);
}

function agent(name: string, sign: string, session: string | null = null): Caller {
  return { kind: 'agent', name, session, sign };
}

/** The reason of a command that was given none. */
export function usualReason(caller: CallerFacts): string {
  return identifyCaller(caller).kind === 'person' ? 'a person asked for it' : 'an agent asked for it';
}
