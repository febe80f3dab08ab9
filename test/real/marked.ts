import { readdirSync, readFileSync } from 'node:fs';

export const cellVariable = 'TUTTI_REAL_CELL';

export interface MarkedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly argv: readonly string[];
}

/** A look of its own, by a mark of its own: what the runtime's search for survivors misses is found here. */
export function marked(mark: string): readonly MarkedProcess[] {
  const wanted = `${cellVariable}=${mark}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!parts(pid, 'environ').includes(wanted)) return [];
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        return [{ pid: Number(pid), parent: Number(parent), argv: parts(pid, 'cmdline') }];
      } catch {
        return [];
      }
    });
}

function parts(pid: string, file: string): readonly string[] {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1);
}

/** The agent itself: the topmost process that runs the program, and not the launcher, which names it too. */
export function agentOf(processes: readonly MarkedProcess[], program: string): MarkedProcess | null {
  const own = processes.filter(({ argv }) => argv.slice(0, 3).includes(program));
  const pids = new Set(own.map(({ pid }) => pid));
  return own.find(({ parent }) => !pids.has(parent)) ?? null;
}
