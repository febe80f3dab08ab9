import {
  type AcpDriver,
  cautiousRules,
  type PermissionRule,
  type PermissionRules,
  toolKinds,
} from '../../model/acp.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { isReadOnly, turnTools } from '../../model/turn-tools.ts';

/** What the operator decided. */
type Rules = Pick<AcpDriver, 'rules'>;

/** The operator's rules over those of the role; neither gives a turn what its agent's own tools leave out. */
export function turnRules({ rules }: Rules, spec: SessionSpec): PermissionRules {
  const tools = turnTools(spec);
  const allowIf = (may: boolean): PermissionRule => (may ? 'allow' : 'deny');
  // Which folders an edit may reach is looked at when it is asked for: the result can always be written.
  const changes: PermissionRule = allowIf(!isReadOnly(tools));
  const own: PermissionRules = {
    ...cautiousRules,
    edit: changes,
    delete: changes,
    move: changes,
    execute: allowIf(tools.runs),
    fetch: allowIf(tools.fetches),
  };
  const limited = spec.tools !== undefined;
  const lacks = new Set<string>(
    toolKinds.filter((kind) => limited && kind !== 'other' && own[kind] === 'deny'),
  );
  return { ...own, ...Object.fromEntries(Object.entries(rules).filter(([kind]) => !lacks.has(kind))) };
}

/** The same for an agent that does not ask about what it is told is allowed: what is decided by folder must be asked. */
export function askedRules(setup: Rules, spec: SessionSpec): PermissionRules {
  const rules = turnRules(setup, spec);
  const { writes } = turnTools(spec);
  if (writes === 'workspace') return rules;
  const ask = (rule: PermissionRule): PermissionRule => (rule === 'allow' ? 'ask' : rule);
  return {
    ...rules,
    edit: ask(rules.edit),
    delete: ask(rules.delete),
    move: ask(rules.move),
    execute: writes === 'plan' ? ask(rules.execute) : rules.execute,
  };
}
