import { spawn } from 'node:child_process';

/** Gives a person's terminal to a tmux client until it lets go of it. Null: it could not be started. */
export function attachTerminal(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number | null> {
  // From within another tmux the client would refuse; that one shows it as it would any program.
  const { TMUX: _outer, ...rest } = env;
  const child = spawn(program, args, { stdio: 'inherit', env: rest });
  return new Promise((resolve) => {
    child.once('error', () => {
      resolve(null);
    });
    child.once('exit', resolve);
  });
}
