import { seeds } from './seeds.testsuite.ts';

seeds(1, 1000);
