import { LocalHost } from '../../src/app/host/local-host.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { processContext } from '../../src/cli/main.ts';
import { playedPerson } from '../rig/person.ts';

/*
 * The program with a planted bug: it forgets what an earlier process launched, and launches it again.
 */
LocalHost.prototype.adopt = function adopt(attempt, began) {
  return this.launch({ ...attempt, attempt: attempt.attempt + 100 }, began);
};
process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...processContext(process),
  caller: playedPerson(process.env),
});
