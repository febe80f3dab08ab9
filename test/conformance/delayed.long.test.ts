import { testSeed } from '../rig/test-seed.ts';
import { conformance } from './store.testsuite.ts';
import { delayedSubject, sqliteFile } from './subjects.ts';

conformance(delayedSubject(sqliteFile, testSeed));
