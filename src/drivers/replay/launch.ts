import { programFile } from '../../lib/package-files.ts';
import type { LaunchPlan } from '../../model/driver.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { promptText } from '../prompt-text.ts';

export function planReplay(cassette: string, spec: SessionSpec): LaunchPlan {
  return {
    argv: [process.execPath, programFile('player'), cassette, ...spec.handoff.addDirs],
    env: {},
    stdin: promptText(spec),
    launcher: 'shell',
  };
}
