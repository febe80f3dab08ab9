import { DatabaseSync } from 'node:sqlite';
import type { Host } from '../src/model/ports/host.ts';
import { engineOn, storeAt } from './rig.ts';

/** Nothing may run twice: a time without that is void. */
const noHost: Host = {
  launch: ({ key }) => Promise.reject(new Error(`${key} was finished, and is launched again`)),
  adopt: ({ key }) => Promise.reject(new Error(`${key} was finished, and is adopted`)),
  end: () => undefined,
};

/**
 * One measurement in a process of its own: a resume happens once, in a process that was just started, and so does the
 * reading it is compared with. Arguments: `resume` or `read`, the database. Prints milliseconds.
 */
const [what, path = ''] = process.argv.slice(2);
const ms = what === 'resume' ? await resume() : read();
process.stdout.write(`${ms}\n`);

async function resume(): Promise<number> {
  using store = storeAt(path);
  store.db.exec(
    `update runs set state = 'running', outcome = null, value = null, failure = null, ended_at = null, holder = null`,
  );
  using engine = engineOn(store, noHost);
  const start = performance.now();
  const { at } = await engine.advance('bench', { stay: false });
  const took = performance.now() - start;
  if (at !== 'ended') throw new Error(`the run is ${at}`);
  return took;
}

function read(): number {
  using raw = new DatabaseSync(path);
  const start = performance.now();
  const rows = raw.prepare('select * from entries where run = ?').all('bench');
  const bodies = rows.map(({ body }): unknown => JSON.parse(String(body)));
  const took = performance.now() - start;
  if (bodies.length === 0) throw new Error('there are no entries');
  return took;
}
