import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { checkFlow } from '../../src/app/runs/start-flow.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { openTutti, startFlow } from '../rig/trust.ts';

export const runId = 'amended';
const ledger = 'ledger';

/** A step as its author writes it. */
export interface Step {
  readonly id: string;
  readonly [member: string]: unknown;
}

/**
 * An agent that does as it is told: `SAY word` is its answer, `READ path` adds what stands in that file, so that its
 * result depends on its prompt and on what came before it. It notes itself in the ledger, which Tutti never writes.
 */
const agentProgram = `#!/bin/sh
prompt=$(cat)
echo "$TUTTI_STEP" >> ${ledger}
printf '%s\\n' "$prompt" | sed -n 's/^ROLE //p' > "out/$TUTTI_STEP.role"
said=$(printf '%s\\n' "$prompt" | sed -n 's/^SAY //p')
for path in $(printf '%s\\n' "$prompt" | sed -n 's/^READ //p'); do said="$said+$(cat "$path")"; done
printf '%s\\n' "$said" > "out/$TUTTI_STEP.txt"
printf '{"status":"success","summary":"%s"}' "$said" > "$TUTTI_RESULT"
`;

export function agentStep(id: string, needs: readonly string[], prompt: string, more: object = {}): Step {
  return { id, needs, agent: 'teller', prompt, ...more };
}

/** A command that notes itself like the agent does. */
export function commandStep(id: string, needs: readonly string[], work: string, more: object = {}): Step {
  return { id, needs, command: ['sh', '-c', `echo ${id} >> ${ledger}; ${work}`], ...more };
}

export interface Amending {
  /** Take the agents' files as they are now. */
  readonly refresh?: boolean;
}

/** What one advance of the run did. */
export interface Played {
  /** How the run ended, or the sentence that says why it could not be advanced. */
  readonly outcome: string;
  /** Step ids in the ledger since the last advanced, sorted: every process that really ran. */
  readonly ran: readonly string[];
  /** Sessions that the database gained. */
  readonly sessions: number;
}

/** A project of the test's own, with one run that is started, edited and run again. */
export class AmendProject implements Disposable {
  readonly #folder = tempFolder();
  #seen = 0;
  #sessions = 0;

  constructor() {
    const config = {
      driver: 'teller',
      drivers: { teller: { type: 'command', command: ['sh', 'agent.sh'] } },
    };
    this.write('tutti.yaml', stringify(config));
    this.write('agent.sh', agentProgram);
    this.write('agents/teller.md', 'ROLE first\n');
    this.write('out/.keep', '');
  }

  get path(): string {
    return this.#folder.path;
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), 'utf8');
  }

  open(): Tutti {
    const opened = openTutti({ folder: this.path, env: this.#env(), create: true });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  }

  /** As `tutti run flow.yaml --run-id amended` would: starts the run, or amends it. */
  async submit(
    tutti: Tutti,
    steps: readonly Step[],
    { refresh = false }: Amending = {},
  ): Promise<'started' | 'amended'> {
    this.write('flow.yaml', stringify({ name: 'amended', concurrency: 4, steps }));
    const request = { file: 'flow.yaml', folder: this.path, runId, maxParallel: null, refresh };
    const flow = checkFlow(request);
    if (!flow.ok) throw new Error(flow.error.message);
    const started = await startFlow(tutti, flow.value, request);
    if (!started.ok) throw new Error(started.error.message);
    return started.value.how;
  }

  /** Advances the run to its end, in a process image of its own as far as the database is concerned. */
  async advance(tutti: Tutti): Promise<Played> {
    const end = await advanceRun(tutti, { runId, stay: false });
    return this.note(tutti, end.ok ? end.value : end.error.message);
  }

  async play(steps: readonly Step[], how: Amending = {}): Promise<Played> {
    using tutti = this.open();
    await this.submit(tutti, steps, how);
    return await this.advance(tutti);
  }

  /** What happened since the last look. */
  async note(tutti: Tutti, outcome: string): Promise<Played> {
    const lines = this.ledger();
    const sessions = (await tutti.queries.sessions.ofRun(runId)).length;
    const played = { outcome, ran: lines.slice(this.#seen).toSorted(), sessions: sessions - this.#sessions };
    this.#seen = lines.length;
    this.#sessions = sessions;
    return played;
  }

  ledger(): readonly string[] {
    try {
      return this.read(ledger)
        .split('\n')
        .filter((line) => line !== '');
    } catch {
      return [];
    }
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }

  #env(): Readonly<Record<string, string | undefined>> {
    return { PATH: process.env['PATH'], HOME: this.path };
  }
}
