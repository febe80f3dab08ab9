import { userInfo } from 'node:os';
import type { CallerFacts } from '../../src/model/ports/caller.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The caller that tests play: a person at a terminal, however the tests were started, unless the test itself gives it the
 * variables of a session. The published program has no way to compose this.
 */
export function playedPerson(env: Variables): CallerFacts {
  const isGiven = (name: string): boolean =>
    /^(?:TUTTI|AGENTIC)_/.test(name) && (env === process.env || env[name] !== process.env[name]);
  return {
    user: { name: userInfo().username, home: env['HOME'] ?? null },
    variable: (name) => (env[name] !== undefined && isGiven(name) ? [env[name]] : []),
    programs: () => [],
    groups: () => [],
  };
}
