import type { DriverConfig } from '../model/config.ts';
import { unreachable } from '../lib/unreachable.ts';

const ofCli = {
  claude: ['.claude', '.claude.json'],
  codex: ['.codex'],
  gemini: ['.gemini'],
  opencode: ['.local/share/opencode', '.local/state/opencode', '.cache/opencode', '.config/opencode'],
} as const;

/** Where a CLI keeps its own files in the person's home: without them it forgets its conversations, or does not start. */
export function homesOf(config: DriverConfig): readonly string[] {
  switch (config.type) {
    case 'claude':
      return ofCli.claude;
    case 'codex':
      return ofCli.codex;
    case 'acp':
      return Object.values(ofCli).flat();
    case 'command':
    case 'replay':
    case 'record':
      return [];
    default:
      return unreachable(config);
  }
}
