import { writeLine } from '../../lib/write-line.ts';
import type { DriverEvent } from '../../model/driver.ts';

export function tell(event: DriverEvent): void {
  writeLine(JSON.stringify(event));
}
