import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { errorCode } from '../../lib/error-code.ts';

export interface TmuxAnswer {
  /** Null: it did not answer, or could not be started. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TmuxCall {
  /** Options of the client itself. */
  readonly options: readonly string[];
  /** One after the other, as long as they succeed. */
  readonly commands: readonly (readonly string[])[];
  readonly env: Readonly<Record<string, string>>;
  /** A new session begins here: unlike `-c`, the client's own directory is taken as it is, `#{…}` and all. */
  readonly cwd?: string;
  readonly input?: string;
}

/** A server that was stopped would hold everybody who asks it. */
const patienceMs = 15_000;

/** One call of the tmux client. The words never pass a shell; see `exactWord` for what tmux itself does to them. */
export function runTmux({ options, commands, env, cwd = '/', input }: TmuxCall): Promise<TmuxAnswer> {
  const words = commands.flatMap((command, at) => [...(at === 0 ? [] : [';']), ...command.map(exactWord)]);
  return new Promise((resolve) => {
    const child = spawn('tmux', [...options, ...words], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const patience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    child.once('error', (error) => {
      clearTimeout(patience);
      resolve({ code: null, stdout, stderr: existsSync(cwd) ? errorCode(error) : `${cwd} does not exist` });
    });
    // Not `exit`: what it said may still be on its way. The server that it may have started holds none of these pipes.
    child.once('close', (code) => {
      clearTimeout(patience);
      resolve({ code, stdout, stderr: code === null ? `it did not answer; ${stderr}` : stderr.trim() });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });
}

/** tmux takes a `;` at the end of a word for the end of the command, and `\;` for the character. */
function exactWord(word: string): string {
  return word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word;
}
