import { conformance } from './store.testsuite.ts';
import { sqliteFile } from './subjects.ts';

conformance(sqliteFile);
