import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { trustProject } from '../rig/trust.ts';

/** Who sits before the terminal. */
interface TerminalPerson {
  /** The program that `tutti` starts. */
  readonly file?: string;
  /** Where this person's state is; else in the project's folder. */
  readonly home?: string;
}

/** A shell in a real terminal, on a server of its own, with `tutti` as a command. */
export class Terminal implements Disposable {
  /** The server's socket is a file, and nobody removes it: so it has a folder that somebody does. */
  readonly #folder = tempFolder();

  constructor(
    folder: string,
    columns = 80,
    rows = 24,
    { file = installedTutti(), home = folder }: TerminalPerson = {},
  ) {
    trustProject(folder, { PATH: process.env['PATH'], HOME: home });
    const size = ['-x', String(columns), '-y', String(rows)];
    this.#tmux('new-session', '-d', '-s', 't', ...size, '-c', folder, 'exec bash --norc');
    const program = `"${process.execPath}" "${file}"`;
    this.enter(`PS1='$ '; HOME='${home}'; tutti() { ${program} "$@"; echo "code $?"; }; clear`);
  }

  enter(line: string): void {
    this.#tmux('send-keys', '-t', 't', '-l', line);
    this.press('Enter');
  }

  type(text: string): void {
    this.#tmux('send-keys', '-t', 't', '-l', text);
  }

  press(key: string): void {
    this.#tmux('send-keys', '-t', 't', key);
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-t', 't', '-x', String(columns), '-y', String(rows));
  }

  screen(): string {
    return this.#tmux('capture-pane', '-pt', 't').trimEnd();
  }

  /** `x,y visible`: where the cursor is. */
  cursor(): string {
    return this.#tmux('display-message', '-pt', 't', '#{cursor_x},#{cursor_y} #{cursor_flag}').trim();
  }

  async until(pattern: RegExp): Promise<string> {
    for (let n = 0; n < hangLimitMs / 100; n += 1) {
      const screen = this.screen();
      if (pattern.test(screen)) return screen;
      await pause(100);
    }
    throw new Error(`never saw ${pattern}:\n${this.screen()}`);
  }

  [Symbol.dispose](): void {
    this.#tmux('kill-server');
    this.#folder[Symbol.dispose]();
  }

  #tmux(...args: readonly string[]): string {
    const server = ['-S', join(this.#folder.path, 'socket'), '-f', '/dev/null'];
    return spawnSync('tmux', [...server, ...args], { encoding: 'utf8' }).stdout;
  }
}
