import { writeSync } from 'node:fs';
import type { DriverEvent } from '../../model/driver.ts';

/** At once and whole: the log must not lose its end when this process is killed. */
export function tell(event: DriverEvent): void {
  const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}
