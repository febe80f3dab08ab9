import { seeds } from './seeds.testsuite.ts';

seeds(10001, 15000);
