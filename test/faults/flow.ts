import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stringify } from 'yaml';
import { trustProject } from '../rig/trust.ts';

export const runId = 'faulted';

/** Each process notes itself outside `.tutti`, where no fault reaches: evidence that Tutti did not write. */
const ledger = 'ledger';
const noted = (work: string) =>
  `echo "$TUTTI_STEP begin" >> ${ledger}; ${work}; echo "$TUTTI_STEP end" >> ${ledger}`;

/** It meets the same full disk, and is patient: what it cannot write is its own affair. */
const agent = `#!/bin/sh
cat > /dev/null
${noted('true')}
until echo '{"status":"success","summary":"written"}' > "$TUTTI_RESULT"; do sleep 0.1; done
`;

/** A command, an agent with a gate, a command: every kind of state write there is. */
function flowOf(prompt: string): object {
  return {
    name: 'faulted',
    steps: [
      { id: 'first', command: ['sh', '-c', noted('true')] },
      {
        id: 'second',
        needs: ['first'],
        agent: 'coder',
        prompt,
        gates: [{ command: ['sh', '-c', noted('true')] }],
      },
      { id: 'third', needs: ['second'], command: ['sh', '-c', noted('true')] },
    ],
  };
}

export function writeFaultProject(folder: string, prompt = 'Write it.'): void {
  const config = { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } };
  const files = {
    'agent.sh': agent,
    'tutti.yaml': stringify(config),
    'flow.yaml': stringify(flowOf(prompt)),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  // The home that `live` gives each process.
  trustProject(folder, { PATH: process.env['PATH'], HOME: folder });
}

/** What is true afterwards, read without Tutti. */
export interface Remains {
  readonly integrity: string;
  /** Whether the run was recorded. */
  readonly exists: boolean;
  readonly outcome: string | null;
  /** Keys of the entries that were recorded as done, with their attempt: what was acknowledged. */
  readonly done: readonly string[];
  readonly ledger: readonly string[];
}

const nothingYet: Omit<Remains, 'ledger'> = { integrity: 'ok', exists: false, outcome: null, done: [] };

export function remainsOf(folder: string): Remains {
  return { ...databaseOf(join(folder, '.tutti', 'tutti.db')), ledger: ledgerOf(folder) };
}

export function ledgerOf(folder: string): readonly string[] {
  return linesOf(join(folder, ledger)).toSorted();
}

function databaseOf(path: string): Omit<Remains, 'ledger'> {
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(path, { readOnly: true });
  } catch {
    // Not made yet: there is nothing that could be lost.
    return nothingYet;
  }
  try {
    const integrity = String(db.prepare('pragma integrity_check').get()?.['integrity_check']);
    if (db.prepare(`select 1 from sqlite_schema where name = 'runs'`).get() === undefined) {
      return { ...nothingYet, integrity };
    }
    const run = db.prepare('select outcome from runs where id = ?').get(runId);
    const outcome = run?.['outcome'];
    const done = db.prepare(`select key, attempt from entries where run = ? and state = 'done'`).all(runId);
    return {
      integrity,
      exists: run !== undefined,
      outcome: typeof outcome === 'string' ? outcome : null,
      done: done.map((row) => `${String(row['key'])}#${String(row['attempt'])}`),
    };
  } finally {
    db.close();
  }
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}
