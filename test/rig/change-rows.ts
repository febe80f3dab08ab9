import { Redactor } from '../../src/lib/redact.ts';
import { Database } from '../../src/store/database.ts';

/** Changes rows behind the back of the project that has the database open, as no transition would. */
export function changeRows(
  { paths }: { readonly paths: { readonly database: string } },
  sql: string,
  ...values: readonly (string | number | null)[]
): void {
  using db = new Database(paths.database, new Redactor([]));
  // Another process may be writing at this moment.
  db.exec('pragma busy_timeout = 30000');
  db.run(sql, ...values);
}
