import { seeds } from './seeds.testsuite.ts';

seeds(15001, 20000);
