import type { DriverEvent, DriverReader } from '../model/driver.ts';
import { unknownUsage, type Usage } from '../model/usage.ts';

/** Where a CLI tells what a whole conversation used: only what this session added. Null: nobody knows what was before. */
export function usageSince(reader: DriverReader, before: Usage | null): DriverReader {
  return {
    ...reader,
    line: (line) => reader.line(line).map((event) => since(event, before)),
  };
}

function since(event: DriverEvent, before: Usage | null): DriverEvent {
  if (event.type !== 'usage') return event;
  if (before === null) return { type: 'usage', usage: unknownUsage };
  const { inputTokens, outputTokens, cachedInputTokens } = event.usage;
  const usage = {
    ...event.usage,
    inputTokens: difference(inputTokens, before.inputTokens),
    outputTokens: difference(outputTokens, before.outputTokens),
    ...(cachedInputTokens === undefined
      ? {}
      : { cachedInputTokens: difference(cachedInputTokens, before.cachedInputTokens) }),
  };
  return { type: 'usage', usage };
}

/** A sum that became smaller is of another conversation, whatever was thought. */
function difference(now: number | null, before: number | null | undefined): number | null {
  const added = now === null ? null : now - (before ?? 0);
  return added === null || added < 0 ? null : added;
}
