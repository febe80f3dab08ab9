import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appendText } from '../../lib/atomic-file.ts';
import { digestText } from '../../lib/digest.ts';
import { readText } from '../../lib/read-text.ts';

const maxBytes = 16 * 1024 * 1024;

interface Asking {
  readonly projectDir: string;
  readonly cassette: string;
  readonly sessionId: string;
  /** What is asked, by the conditions of the turns that fit. */
  readonly conditions: string;
}

/**
 * Which session in this project asks the same of this cassette for the n-th time. Each adds one short line, which the
 * system does not mix with another's, and then finds its own place: two at once never have the same one, and a session
 * that asks again has the one it had. Where nothing can be kept, each is the first.
 */
export function timesAsked({ projectDir, cassette, sessionId, conditions }: Asking): number {
  const path = join(projectDir, '.tutti', 'replay', `${digestText(cassette)}.asked`);
  const line = `${conditions} ${sessionId}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const before = placeOf(line, path, conditions);
    if (before > 0) return before;
    appendText(path, `${line}\n`);
    return Math.max(1, placeOf(line, path, conditions));
  } catch {
    return 1;
  }
}

/** 0 when it is not there. */
function placeOf(line: string, path: string, conditions: string): number {
  const text = readText(path, { maxBytes, links: 'refuse' });
  const lines = text.ok ? text.value.split('\n').filter((one) => one.startsWith(`${conditions} `)) : [];
  return [...new Set(lines)].indexOf(line) + 1;
}
