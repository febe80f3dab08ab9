import { seeds } from './seeds.testsuite.ts';

seeds(5001, 10000);
