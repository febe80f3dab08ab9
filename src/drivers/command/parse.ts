import type { DriverReader } from '../../model/driver.ts';
import { stopReasonOf } from '../stop-reason.ts';

/** Any program: what it prints is text, and its exit code is all it says about how it went. */
export function commandReader(): DriverReader {
  return { line: (text) => [{ type: 'text', text }], stop: stopReasonOf };
}
