import { spawn } from 'node:child_process';
import { err, ok, type Result } from '../lib/result.ts';

/** Lets the person edit these files in this terminal, and waits until that is over. */
export function openEditor(editor: string, files: readonly string[]): Promise<Result<null, string>> {
  // `code --wait` is a program and its arguments: nobody's shell reads it.
  const [program = '', ...args] = editor.split(/\s+/).filter((word) => word !== '');
  return new Promise((resolve) => {
    const child = spawn(program, [...args, ...files], { stdio: 'inherit' });
    child.once('error', (error) => {
      resolve(err(`'${program}' could not be started: ${error.message}`));
    });
    child.once('exit', (code) => {
      resolve(code === 0 ? ok(null) : err(`'${program}' ended with code ${code ?? 'unknown'}`));
    });
  });
}
