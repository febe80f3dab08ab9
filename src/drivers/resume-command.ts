import { unreachable } from '../lib/unreachable.ts';
import type { DriverForm } from '../model/config.ts';

/** What a person types to continue a conversation in the CLI itself; null where the CLI has no such command. */
export function resumeCommand(form: DriverForm, conversation: string): readonly string[] | null {
  switch (form.type) {
    case 'claude':
      return [form.program, '--resume', conversation];
    case 'codex':
      return [form.program, 'resume', conversation];
    case 'acp': {
      const { agent } = form;
      if (!('preset' in agent) || agent.preset !== 'opencode') return null;
      return [agent.program ?? 'opencode', '--session', conversation];
    }
    case 'command':
    case 'replay':
    case 'record':
      return null;
    default:
      return unreachable(form);
  }
}
