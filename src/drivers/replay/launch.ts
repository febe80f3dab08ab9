import { fileURLToPath } from 'node:url';
import type { LaunchPlan } from '../../model/driver.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { promptText } from '../prompt-text.ts';

// From source, in tests, Node runs the TypeScript itself.
const player = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './player.ts' : './player.js', import.meta.url),
);

export function planReplay(cassette: string, spec: SessionSpec): LaunchPlan {
  return {
    argv: [process.execPath, player, cassette, ...spec.handoff.addDirs],
    env: {},
    stdin: promptText(spec),
    launcher: 'shell',
  };
}
