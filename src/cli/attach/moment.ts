import type { Context } from '../context.ts';

const momentMs = 5000;

/** So that the last lines of a pane can be read before it closes. */
export async function shownForAMoment(context: Context): Promise<void> {
  context.process.stdout.write('  this view closes in a few seconds, or with any key\n');
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      keys[Symbol.dispose]();
      signals[Symbol.dispose]();
      clearTimeout(timer);
      resolve();
    };
    const keys = context.input.onKey(finish);
    const signals = context.onSignal((signal) => {
      if (signal === 'SIGTERM') finish();
    });
    const timer = setTimeout(finish, momentMs);
  });
}
