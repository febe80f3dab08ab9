import { conformance } from './store.testsuite.ts';
import { sqliteMemory } from './subjects.ts';

conformance(sqliteMemory);
