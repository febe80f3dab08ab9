import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '../rig/repository.ts';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** A shell in a real terminal, on a server of its own, with `tutti` as a command. */
export class Terminal implements Disposable {
  readonly #socket = `tutti-test-${randomBytes(6).toString('hex')}`;

  constructor(folder: string, columns = 80, rows = 24) {
    const size = ['-x', String(columns), '-y', String(rows)];
    this.#tmux('new-session', '-d', '-s', 't', ...size, '-c', folder, 'exec bash --norc');
    const program = `"${process.execPath}" "${repository('bin/tutti.js')}"`;
    this.enter(`PS1='$ '; HOME='${folder}'; tutti() { ${program} "$@"; echo "code $?"; }; clear`);
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
    for (let n = 0; n < 200; n += 1) {
      const screen = this.screen();
      if (pattern.test(screen)) return screen;
      await pause(100);
    }
    throw new Error(`never saw ${pattern}:\n${this.screen()}`);
  }

  [Symbol.dispose](): void {
    this.#tmux('kill-server');
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync('tmux', ['-L', this.#socket, '-f', '/dev/null', ...args], { encoding: 'utf8' }).stdout;
  }
}
