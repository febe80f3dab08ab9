import { composeStore } from '../../src/app/store-composition.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { processContext } from '../../src/cli/main.ts';
import { delayedStore } from './delayed-composition.ts';
import { playedPerson } from './person.ts';

/* The program as a person calls it, on the delayed store. `delay-program.ts` bundles it beside the packed program. */
composeStore(delayedStore(0));
process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...processContext(process),
  caller: playedPerson(process.env),
});
