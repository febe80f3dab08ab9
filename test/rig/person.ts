import { userInfo } from 'node:os';
import type { CallerFacts } from '../../src/model/ports/caller.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The caller that tests play: a person at a terminal, however the tests were started, unless the variables say that a
 * session calls. The published program has no way to compose this.
 */
export function playedPerson(env: Variables): CallerFacts {
  return {
    user: { name: userInfo().username, home: env['HOME'] ?? null },
    variable: (name) => (env[name] === undefined ? [] : [env[name]]),
    programs: () => [],
    groups: () => [],
  };
}
