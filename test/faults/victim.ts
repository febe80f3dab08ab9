/**
 * The process that meets the fault: `victim.ts COMMAND…` is the command line of Tutti, from its sources and with nothing
 * around it. What it prints and how it ends is what a person would see.
 */
import { LocalHost } from '../../src/app/host/local-host.ts';
import { main } from '../../src/cli/main.ts';
import { failure } from '../../src/model/failure.ts';

// The planted bug: what the machine could not do is recorded as the result of the work.
if (process.env['PLANTED'] === 'trouble-is-a-result') {
  const launch = Reflect.get(LocalHost.prototype, 'launch');
  LocalHost.prototype.launch = function planted(attempt, began) {
    return launch.call(this, attempt, began).catch((error: unknown) => ({
      completion: { at: 'failed', failure: failure('error', String(error)) },
      session: null,
    }));
  };
}

await main(process.argv.slice(2));
