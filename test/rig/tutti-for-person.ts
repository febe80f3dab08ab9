import { runCommandLine } from '../../src/cli/command-line.ts';
import { processContext } from '../../src/cli/main.ts';
import { playedPerson } from './person.ts';

/*
 * The program as a person calls it, also when an agent's tool started the tests. It is composed here, from the sources:
 * nothing that is published can be told who calls.
 */
process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...processContext(process),
  caller: playedPerson(process.env),
});
