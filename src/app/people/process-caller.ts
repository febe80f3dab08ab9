import { userInfo } from 'node:os';
import { processesAbove } from '../../lib/process/ancestors.ts';
import type { ProcessTable } from '../../lib/process/process-table.ts';
import { system } from '../../lib/process/system.ts';
import type { CallerFacts, CallingUser } from '../../model/ports/caller.ts';
import type { Variables } from '../state-folder.ts';

/** This process as the system sees it. Nothing is read before it is asked for: most commands decide nothing. */
export function processCaller(env: Variables, table: () => ProcessTable = system): CallerFacts {
  const above = () => processesAbove(table());
  return {
    get user() {
      return systemUser();
    },
    variable: (name) => {
      const own = env[name];
      const inherited = above().flatMap(({ pid }) => table().variable(pid, name) ?? []);
      return own === undefined ? inherited : [own, ...inherited];
    },
    // The first one is this process, which is Tutti.
    programs: () =>
      above()
        .slice(1)
        .map(({ pid }) => ({ pid, names: table().programs(pid) })),
    groups: () => [...new Set(above().flatMap(({ pid }) => table().groups(pid)))],
  };
}

function systemUser(): CallingUser {
  try {
    const { username, homedir } = userInfo();
    return { name: username, home: homedir };
  } catch {
    return { name: `uid-${process.getuid?.() ?? 'unknown'}`, home: null };
  }
}
