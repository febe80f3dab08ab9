import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AgentDriver, ReadTurn } from '../../model/driver.ts';
import { addTurn } from './cassette-file.ts';
import { recordedTurn } from './turn.ts';

/** Another driver, whose turns are kept in a cassette that `replay` can play. */
export function recordingDriver(name: string, inner: AgentDriver, cassette: string): AgentDriver {
  return {
    ...inner,
    name,
    missing: () => inner.missing() ?? unwritable(cassette),
    ended: (turn) => addTurn(cassette, recordedTurn(withoutCassette(turn, cassette), inner)),
  };
}

/** Other sessions write it while this one works: no turn has done that. */
function withoutCassette(turn: ReadTurn, cassette: string): ReadTurn {
  const other = (path: string): boolean => !resolve(turn.spec.workspace, path).startsWith(cassette);
  const { written, deleted, leftOut } = turn.changes;
  const changes = {
    written: written.filter(({ path }) => other(path)),
    deleted: deleted.filter(other),
    leftOut,
  };
  return { ...turn, changes };
}

/** Known before the turn is paid for. */
function unwritable(path: string): string | null {
  for (let at = path; ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK);
      return null;
    } catch {
      if (at === dirname(at) || exists(at))
        return `the cassette ${path} cannot be written: name another one in tutti.yaml`;
    }
  }
}

function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
