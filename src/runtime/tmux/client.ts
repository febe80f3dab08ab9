import { err, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { TmuxConfig } from '../../model/config.ts';
import { runTmux, type TmuxAnswer } from './run-tmux.ts';

export interface NewSession {
  readonly name: string;
  /** Our own program and its ids: what is data goes another way. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Seen by everybody who may list processes: no secrets. */
  readonly marks?: Readonly<Record<string, string>>;
}

/** The first version with `new-session -e`. */
const oldestVersion = { major: 3, minor: 2 } as const;
const installAdvice = 'apt install tmux (macOS: brew install tmux)';
/** Bigger than tmux takes in one command (16 kB with all its words). */
const longestCommand = 12_000;
const nameForm = /^[a-z0-9][a-z0-9_-]{0,159}$/i;
/** What a pane says it is; known to every system that knows terminals at all. */
export const terminalName = 'screen-256color';
const vanished = /server exited|no server running|lost server|error connecting/;
let buffers = 0;

/**
 * A tmux server of our own, found by the name of its socket. Names are matched exactly (`=name`): tmux would otherwise
 * take `task-10` for `task-1`.
 */
export class Tmux {
  readonly config: TmuxConfig;
  /** Of every call, and so of the server: nothing secret. */
  readonly env: Readonly<Record<string, string>>;

  constructor(config: TmuxConfig, env: Readonly<Record<string, string | undefined>>) {
    this.config = config;
    this.env = serverEnvironment(env);
  }

  /** Null: it can be used. */
  problem(): Promise<string | null> {
    return tmuxProblem(this.env);
  }

  /** The name of a session's pane. */
  nameOf(sessionId: string): string {
    return checked(`${this.config.prefix}-${sessionId}`);
  }

  async has(name: string): Promise<boolean> {
    return (await this.#run(['has-session', '-t', `=${checked(name)}`])).code === 0;
  }

  /** Detached. One try more where the server went away just then, which a server does with its last session. */
  async newSession(session: NewSession): Promise<Result<null, string>> {
    const words = session.argv.join(' ');
    if (Buffer.byteLength(words) > longestCommand) return err('the command is too long for tmux');
    const opened = await this.#open(session);
    const answer = vanished.test(opened.stderr) ? await this.#open(session) : opened;
    return answer.code === 0 ? ok(null) : err(sentence('new-session', answer));
  }

  /** False: there was none. */
  async kill(name: string): Promise<boolean> {
    return (await this.#run(['kill-session', '-t', `=${checked(name)}`])).code === 0;
  }

  /** Names of our sessions, without the keeper. */
  async list(): Promise<readonly string[]> {
    const { stdout } = await this.#run(['list-sessions', '-F', '#{session_name}']);
    return stdout
      .split('\n')
      .filter((name) => name.startsWith(`${this.config.prefix}-`) && name !== this.#keeper());
  }

  /**
   * As one bracketed paste, with nothing after it. `-r`: newlines stay newlines, because a carriage return is what Enter
   * sends, and an interface that does not know bracketed paste would take the first line for everything.
   */
  async paste(name: string, text: string): Promise<Result<null, string>> {
    buffers += 1;
    const buffer = `tutti-${process.pid}-${buffers}`;
    const loaded = await this.#run(['load-buffer', '-b', buffer, '-'], { input: text });
    if (loaded.code !== 0) return err(sentence('load-buffer', loaded));
    const target = `=${checked(name)}:`;
    const pasted = await this.#run(['paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', target]);
    if (pasted.code === 0) return ok(null);
    await this.#run(['delete-buffer', '-b', buffer]);
    return err(sentence('paste-buffer', pasted));
  }

  /** Only for whoever knows what it will confirm: see the typist. */
  async sendEnter(name: string): Promise<Result<null, string>> {
    const answer = await this.#run(['send-keys', '-t', `=${checked(name)}:`, 'Enter']);
    return answer.code === 0 ? ok(null) : err(sentence('send-keys', answer));
  }

  /** For a person's terminal, without `TMUX` in its environment. */
  attachArgv(name: string): readonly [string, ...string[]] {
    return ['tmux', '-L', this.config.socket, 'attach-session', '-t', `=${checked(name)}`];
  }

  /** Shows in the pane's last line which keys detach: the program in the pane cannot know where the person sits. */
  async showDetachKeys(name: string, keys: string): Promise<void> {
    const target = `=${checked(name)}:`;
    await this.#run(['set-option', '-t', target, 'status-right', hintOf(keys)]);
  }

  async #open({ name, argv, cwd, marks = {} }: NewSession): Promise<TmuxAnswer> {
    const keeping = await this.#keep();
    if (keeping !== null) return keeping;
    const variables = Object.entries(marks).flatMap(([variable, value]) => ['-e', `${variable}=${value}`]);
    const size = ['-x', '200', '-y', '50'];
    return this.#run(['new-session', '-d', '-s', checked(name), ...size, ...variables, ...argv], { cwd });
  }

  /**
   * The server ends with its last session, and a session that is being opened at that moment is lost with it. So one
   * session stays beside the others: it reads a terminal on which nobody types, in the root directory. Once it is alone the
   * server ends, and `open` starts the next one.
   */
  async #keep(): Promise<TmuxAnswer | null> {
    if (await this.has(this.#keeper())) return null;
    const options = [
      // What the person who attaches has in the environment is not for agents.
      ['update-environment', ''],
      ['default-terminal', terminalName],
      ['escape-time', '50'],
      ['remain-on-exit', 'off'],
      ['status-right', hintOf('Ctrl+B then D')],
      ['status-right-length', '60'],
    ].map((option) => ['set-option', '-g', ...option]);
    const isAlone = `#{==:#{S:#{session_name}},${this.#keeper()}}`;
    const end = ['set-hook', '-g', 'session-closed', `if-shell -F "${isAlone}" kill-server`];
    const keeper = ['new-session', '-d', '-s', this.#keeper(), '/bin/cat'];
    const answer = await runTmux({
      options: this.#server(),
      commands: [keeper, ...options, end],
      env: this.env,
    });
    // Somebody else was faster: that one keeps as well.
    return answer.code === 0 || answer.stderr.includes('duplicate session') ? null : answer;
  }

  #keeper(): string {
    return `${this.config.prefix}-keeper`;
  }

  /** `-N`: only the keeper starts a server, so that none is without it. */
  #run(command: readonly string[], more: { input?: string; cwd?: string } = {}): Promise<TmuxAnswer> {
    return runTmux({ options: [...this.#server(), '-N'], commands: [command], env: this.env, ...more });
  }

  /** No configuration of the person's: it may start programs, keep dead panes or rename sessions. */
  #server(): readonly string[] {
    return ['-L', this.config.socket, '-f', '/dev/null'];
  }
}

/** A tmux server keeps the environment of the process that starts it and shows it to every client: no secrets in it. */
function serverEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const allowed = new Set('PATH HOME USER LOGNAME SHELL LANG TZ TMPDIR TERM TMUX_TMPDIR'.split(' '));
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (allowed.has(entry[0]) || entry[0].startsWith('LC_')),
    ),
  );
}

/** Null, or one sentence with the command that fixes it. */
async function tmuxProblem(env: Readonly<Record<string, string>>): Promise<string | null> {
  const answer = await runTmux({ options: ['-V'], commands: [], env });
  if (answer.code !== 0) return `tmux cannot be run (${answer.stderr}): ${installAdvice}`;
  return versionProblem(answer.stdout);
}

/** `tmux 3.3a`, `tmux next-3.4`; a version without a number was built from newer sources than any release. */
export function versionProblem(text: string): string | null {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  if (major === undefined || text.includes('openbsd')) return null;
  const found = Number(major) * 1000 + Number(minor);
  if (found >= oldestVersion.major * 1000 + oldestVersion.minor) return null;
  return `tmux ${major}.${minor} is too old, ${oldestVersion.major}.${oldestVersion.minor} is needed: ${installAdvice}`;
}

function hintOf(keys: string): string {
  return `detach: ${keys} `;
}

function checked(name: string): string {
  if (!nameForm.test(name)) throw new Error(`${JSON.stringify(name)} cannot be the name of a tmux session`);
  return name;
}

function sentence(command: string, answer: TmuxAnswer): string {
  return `tmux ${command} failed: ${oneLine(answer.stderr) || `exit code ${answer.code ?? 'unknown'}`}`;
}
