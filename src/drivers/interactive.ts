import { isObject } from '../lib/json.ts';
import { unreachable } from '../lib/unreachable.ts';
import type { Config } from '../model/config.ts';
import type { DriverEvent, DriverReader } from '../model/driver.ts';
import { type HookEvent, nextMessage, recordedHook } from '../model/hook.ts';
import { parseJson } from '../model/schemas/json-text.ts';
import { type InterfacePlace, noInterface } from './driver-definition.ts';
import { findWorkingDriver } from './registry.ts';
import { stopReasonOf } from './stop-reason.ts';

/** Null, or why a driver's interface cannot be opened now, in a sentence with what fixes it. */
export function interactiveProblem(
  name: string,
  config: Pick<Config, 'drivers'>,
  place: InterfacePlace,
): string | null {
  const driver = Object.hasOwn(config.drivers, name) ? config.drivers[name] : undefined;
  // The recorded driver's own; what a person does in it is not recorded.
  const opened = driver?.type === 'record' ? driver.driver : name;
  const working = findWorkingDriver(config, name);
  return working === null ? noInterface(opened) : working.interfaceProblem(opened, place);
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
      return [{ type: 'waiting', why: nextMessage }];
    case 'turn-done':
      return [
        ...(hook.message === '' ? [] : [{ type: 'text' as const, text: hook.message }]),
        { type: 'waiting', why: nextMessage },
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
