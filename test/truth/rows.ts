import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

/** Every row of every table of a project's database, as text, so that two looks can be compared. */
export function rowsOf(project: string): readonly string[] {
  const db = new DatabaseSync(join(project, '.tutti', 'tutti.db'), { readOnly: true });
  try {
    const tables = db
      .prepare(
        `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`,
      )
      .all()
      .map(({ name }) => String(name));
    return tables.flatMap((table) =>
      db
        .prepare(`select * from "${table}"`)
        .all()
        .map((row) => `${table} ${JSON.stringify(row)}`)
        .toSorted(),
    );
  } finally {
    db.close();
  }
}
