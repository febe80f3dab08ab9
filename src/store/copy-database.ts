import { DatabaseSync } from 'node:sqlite';

/**
 * Copies what is committed into an empty file, in a thread of its own: a process that advances runs is not held up by a large
 * database. It fails on pages that cannot be read, so a copy is never worse. The text is self-contained: it needs no file that a
 * bundle would have to carry. It opens for reading only, because opening for writing would make a database that was removed
 * meanwhile.
 */
const program = `
const { workerData: { source, target } } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const { closeSync, fsyncSync, openSync } = require('node:fs');
const db = new DatabaseSync(source, { readOnly: true });
db.exec('pragma busy_timeout=10000');
db.prepare('vacuum into ?').run(target);
db.close();
const copy = openSync(target, 'r+');
fsyncSync(copy);
closeSync(copy);
`;

export async function copyInThread(source: string, target: string): Promise<void> {
  // Loaded when it is needed: most commands make no copy.
  const { Worker } = await import('node:worker_threads');
  await new Promise<void>((resolve, reject) => {
    // What a thread prints is a warning that SQLite is new in Node.
    const worker = new Worker(program, { eval: true, workerData: { source, target }, stderr: true });
    worker.once('error', reject);
    worker.once('exit', () => {
      resolve();
    });
  });
}

/** The same in this thread, also while this process is in a transaction, of which the copy has nothing. */
export function copyCommitted(source: string, target: string): void {
  const db = new DatabaseSync(source, { readOnly: true });
  try {
    db.prepare('vacuum into ?').run(target);
  } finally {
    db.close();
  }
}
