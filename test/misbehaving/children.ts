import type { Ending } from '../../src/model/driver.ts';
import type { ResourceLimits } from '../../src/model/limits.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { SessionStatus } from '../../src/model/session.ts';

const mib = 1024 ** 2;

/** As `tutti.yaml` has them by default, but for what would take long to wait for. */
export const usualLimits: ResourceLimits = {
  memoryBytes: null,
  processes: 4096,
  cpuPercent: null,
  fileBytes: null,
  diskWarnBytes: 100 * mib,
  diskFailBytes: 500 * mib,
  stallMs: 600_000,
};

/** One way to misbehave, and what must come of it. */
export interface Child {
  readonly name: string;
  /** A shell program. It makes `$RIG/ready` when it has done its worst, and lists in `$RIG/pids` who cannot be found by environment. */
  readonly program: string;
  /** `itself`: it is only watched. `kill`: a person has to end it. */
  readonly endedBy: 'itself' | 'kill';
  readonly limits?: Partial<ResourceLimits>;
  readonly expected: {
    readonly status: SessionStatus;
    readonly ended: Ending | null;
    readonly outcome: Outcome;
  };
}

const killed = { status: 'KILLED', ended: 'killed', outcome: 'INTERRUPTED' } as const;
const stay = 'while :; do sleep 0.1; done';
const ready = ': >"$RIG/ready"';
const report = `printf '{"status":"success","summary":"done"}' >"$RIG/result.json"`;
/** Somebody else's program that says who it is. */
const sayAndStay = `'echo $$ >>"$RIG/pids"; ${stay}'`;
const untilSaid = 'until [ -s "$RIG/pids" ]; do sleep 0.02; done';

export const children: readonly Child[] = [
  {
    name: 'ignores SIGTERM',
    program: `trap '' TERM; ${ready}; ${stay}`,
    endedBy: 'kill',
    expected: killed,
  },
  {
    name: 'double-forks',
    program: `( (sh -c ${sayAndStay} &) & ); ${untilSaid}; ${ready}; ${stay}`,
    endedBy: 'kill',
    expected: killed,
  },
  {
    name: 'lets a child escape with setsid',
    program: `setsid sh -c ${sayAndStay} & ${untilSaid}; ${ready}; ${stay}`,
    endedBy: 'kill',
    expected: killed,
  },
  {
    name: 'clears its environment',
    program: `env -i RIG="$RIG" PATH="$PATH" sh -c ${sayAndStay} & ${untilSaid}; ${ready}; ${stay}`,
    endedBy: 'kill',
    expected: killed,
  },
  {
    name: 'closes its output',
    program: `exec >&- 2>&-; ${ready}; sleep 0.2; ${report}; exit 0`,
    endedBy: 'itself',
    expected: { status: 'COMPLETED', ended: null, outcome: 'SUCCESS' },
  },
  {
    name: 'floods 200 MB',
    program: `yes ${'0123456789'.repeat(25)} | head -c 200000000
      ${ready}; until grep -q 'Disk: ' "$RIG/session.log"; do sleep 0.1; done; ${report}`,
    endedBy: 'itself',
    expected: { status: 'COMPLETED', ended: null, outcome: 'SUCCESS' },
  },
  {
    name: 'writes half a JSON line',
    program: `${report}; printf '{"type":"result","text":"a'; ${ready}`,
    endedBy: 'itself',
    expected: { status: 'COMPLETED', ended: null, outcome: 'SUCCESS' },
  },
  {
    name: 'parents a zombie',
    program: `sh -c 'echo $$ >"$RIG/zombie"' & until [ -s "$RIG/zombie" ]; do :; done; ${ready}; exec sleep 300`,
    endedBy: 'kill',
    expected: killed,
  },
  {
    name: 'stops itself',
    program: `${ready}; kill -STOP $$; ${stay}`,
    endedBy: 'kill',
    expected: killed,
  },
  {
    name: 'exits 0 without a result',
    program: `${ready}; echo done; exit 0`,
    endedBy: 'itself',
    expected: { status: 'COMPLETED', ended: null, outcome: 'FAILURE' },
  },
  {
    name: 'dies by SIGSEGV',
    program: `${ready}; kill -SEGV $$; ${stay}`,
    endedBy: 'itself',
    expected: { status: 'FAILED', ended: null, outcome: 'FAILURE' },
  },
  {
    name: 'fills its disk quota',
    program: `${ready}; trap '' TERM; while :; do head -c 300000 /dev/zero >>"$RIG/big" || sleep 1; sleep 0.1; done`,
    endedBy: 'itself',
    limits: { diskWarnBytes: mib, diskFailBytes: 3 * mib },
    expected: { status: 'FAILED', ended: 'quota', outcome: 'BUDGET_EXCEEDED' },
  },
  {
    name: 'forks 500 times',
    program: `exec "$NODE" -e '
      const { spawn } = require("node:child_process");
      let failed = 0;
      for (let i = 0; i < 500; i += 1) {
        try { spawn("sleep", ["300"], { stdio: "ignore" }).on("error", () => { failed += 1; }); } catch { failed += 1; }
      }
      setTimeout(() => require("node:fs").writeFileSync(process.env.RIG + "/ready", String(failed)), 300);
      setInterval(() => undefined, 1000);'`,
    endedBy: 'kill',
    limits: { processes: 100 },
    expected: killed,
  },
];

/** Needs a control group: nothing else of it leads back to its session. */
export const vanishing: Child = {
  name: 'leaves its session, clears its environment and double-forks at once',
  program: `(setsid env -i RIG="$RIG" PATH="$PATH" sh -c '(sh -c "echo \\$\\$ >>\\$RIG/pids; ${stay}" &)' &)
    ${untilSaid}; ${ready}; ${stay}`,
  endedBy: 'kill',
  expected: killed,
};
