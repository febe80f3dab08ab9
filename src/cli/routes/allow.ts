import { delegable, type Delegable } from '../../model/decision.ts';
import { command, jsonFlag } from '../command.ts';
import type { AllowFlags } from '../commands/allow.ts';
import { duration, oneOf } from '../parsers.ts';

export const allow = command<AllowFlags, [decision?: Delegable]>({
  load: async () => (await import('../commands/allow.ts')).allow,
  reads: false,
  parameters: {
    flags: {
      for: {
        kind: 'parsed',
        parse: duration,
        brief: 'How long agents may decide it, such as 2h',
        placeholder: 'DURATION',
        optional: true,
      },
      revoke: { kind: 'boolean', brief: 'End the delegation', default: false, withNegated: false },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(delegable),
          brief: `${delegable.join(', ')}; default: list what is delegated`,
          placeholder: 'DECISION',
          optional: true,
          proposeCompletions: (partial) => delegable.filter((decision) => decision.startsWith(partial)),
        },
      ],
    },
  },
  brief: 'Let agents make a decision in your place for a while',
  about:
    'Only people answer, approve, widen, waive, land, raise, trust and resume what a person halted; agents are refused. This delegates one of these decisions\n' +
    "to the agents of this project. Each use is recorded with your name and the agent's: tutti session audit --event decision.\n" +
    'To delegate for good, write `delegate: {land: agents}` into ~/.config/tutti/config.yaml. In tutti.yaml it has no effect.',
  examples: [
    ['tutti allow land --for 2h', 'agents may land until then'],
    ['tutti allow', 'list what is delegated'],
    ['tutti allow land --revoke', 'end it'],
  ],
});
