import { isObject } from '../lib/json.ts';
import { unreachable } from '../lib/unreachable.ts';
import type { Config } from '../model/config.ts';
import type { DriverEvent, DriverReader, InteractivePlan, TurnPlace } from '../model/driver.ts';
import { type HookEvent, recordedHook } from '../model/hook.ts';
import { parseJson } from '../model/schemas/json-text.ts';
import type { SessionSpec } from '../model/turn.ts';
import { type ClaudePlace, onboardingProblem } from './claude/onboarding.ts';
import { type CommandConfig, programPath } from './command/launch.ts';
import { promptText } from './prompt-text.ts';
import { stopReasonOf } from './stop-reason.ts';

/** A program that has no flag for who it is gets that as the beginning of the prompt, as on its input. */
export function interactiveCommand(
  { interactive }: CommandConfig,
  spec: SessionSpec,
  place: TurnPlace,
): InteractivePlan | null {
  if (interactive === undefined) return null;
  const [program, ...rest] = interactive;
  return { argv: [programPath(program, place.projectDir), ...rest], env: {}, prompt: promptText(spec) };
}

/** Null, or why a driver's interface cannot be opened now, in a sentence with what fixes it. */
export function interactiveProblem(
  name: string,
  config: Pick<Config, 'drivers'>,
  place: ClaudePlace,
): string | null {
  const driver = Object.hasOwn(config.drivers, name) ? config.drivers[name] : undefined;
  switch (driver?.type) {
    case 'claude':
      return onboardingProblem(driver.program, place);
    case 'command':
      if (driver.interactive !== undefined) return null;
      return `driver ${name} has no interface of its own: name one with "interactive" in tutti.yaml, or leave out --interactive`;
    case 'record':
      return recordedProblem(driver.driver, config, place);
    case 'replay':
    case 'acp':
    case 'codex':
    case undefined:
      return `driver ${name} has no interface of its own: leave out --interactive`;
    default:
      return unreachable(driver);
  }
}

/** The recorded driver's own; what a person does in it is not recorded. */
function recordedProblem(name: string, config: Pick<Config, 'drivers'>, place: ClaudePlace): string | null {
  const inner = Object.hasOwn(config.drivers, name) ? config.drivers[name] : undefined;
  if (inner?.type !== 'record') return interactiveProblem(name, config, place);
  return `driver ${name} has no interface of its own: leave out --interactive`;
}

/** Reads `output.log` of an interactive session, which holds hook events whatever the driver. */
export function interactiveReader(): DriverReader {
  return {
    line: (line) => {
      const json = line.startsWith('{') ? parseJson(line) : null;
      const hook = json?.ok === true && isObject(json.value) ? recordedHook(json.value) : null;
      return hook === null ? [] : eventsOf(hook);
    },
    stop: stopReasonOf,
  };
}

/** It waits no more, and there is nothing to show for it yet. */
const goesOn: DriverEvent = { type: 'text', text: '' };

function eventsOf(hook: HookEvent): readonly DriverEvent[] {
  switch (hook.event) {
    case 'waiting':
      return [{ type: 'waiting', why: hook.why }];
    case 'ready':
      return [{ type: 'waiting', why: 'the next message' }];
    case 'turn-done':
      return [
        ...(hook.message === '' ? [] : [{ type: 'text' as const, text: hook.message }]),
        { type: 'waiting', why: 'the next message' },
      ];
    case 'working':
      return hook.tool === '' ? [goesOn] : [{ type: 'tool', name: hook.tool, target: '' }];
    case 'blocked':
      return [{ type: 'blocked', tool: hook.tool, reason: hook.reason }];
    case 'submitted':
      return [goesOn];
    case 'ended':
      return [];
    default:
      return unreachable(hook);
  }
}
