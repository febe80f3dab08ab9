import { appendFileSync } from 'node:fs';
import type { Cli } from './install.ts';

interface About {
  readonly cli: Cli;
  readonly version: string;
  /** Of the matrix; null for other tests, which are told only where their program could not be installed. */
  readonly case: string | null;
}

type Verdict =
  | { readonly verdict: 'ok'; readonly ms: number }
  | { readonly verdict: 'failed' | 'not installed'; readonly why: string; readonly ms: number };

/** Added to the file that TUTTI_REAL_REPORT names, from which `scripts/real.js` makes its table. */
export function report(about: About, verdict: Verdict): void {
  const file = process.env['TUTTI_REAL_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ ...about, ...verdict })}\n`);
}
