import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Writes an answer into the table, as any program of the same user can. */
const [, , folder = ''] = process.argv;
const db = new DatabaseSync(join(folder, '.tutti/tutti.db'));
db.exec(`update questions set answer = 'yes', answered_at = 1 where answer is null`);
db.close();
