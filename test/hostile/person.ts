import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';

/** A word that a stand-in for an agent CLI obeys wherever it reads it. */
export const obeyed = 'PLANTED-TEXT';

/** What of a repository each CLI takes as its own settings, unless it is started with what keeps it from them. */
const ownSettings = {
  claude: `
case $* in *"--setting-sources user"*) ;; *) [ -d .claude ] && fire settings ;; esac
case $* in *--strict-mcp-config*) ;; *) [ -f .mcp.json ] && fire servers ;; esac`,
  codex: `
case $* in *"$(pwd -P)"'" = {"trust_level" = "untrusted"}'*) ;; *) [ -d .codex ] && fire settings ;; esac`,
  gemini: `[ "$GEMINI_CLI_TRUST_WORKSPACE" = false ] || { [ -d .gemini ] && fire settings; }`,
  opencode: `[ "$OPENCODE_DISABLE_PROJECT_CONFIG" = 1 ] || { [ -f opencode.json ] && fire settings; }`,
} as const;

type Cli = keyof typeof ownSettings;

/**
 * A stand-in for an agent CLI of the person. It leaves a canary when it is started with what only a repository would ask
 * for: its settings, its servers, its text, more permissions, or a variable that the person passes to no agent. As the real
 * ones do, it looks for its own settings only: codex knows nothing of `.claude`. Those that hold a dialog leave it at once.
 */
const agentCli = (cli: Cli, canary: string): string => `#!/bin/sh
[ "$1" = --version ] && { echo 99.0.0; exit 0; }
fire() { echo "${cli} $1" >> '${canary}'; }
${ownSettings[cli]}
${cli === 'gemini' || cli === 'opencode' ? 'exit 1' : 'input=$(cat)'}
all="$* $input $(for word in "$@"; do [ -f "$word" ] && cat "$word"; done)"
case $all in *${obeyed}*) fire text ;; esac
case $* in *bypassPermissions*|*danger-full-access*|*planted*) fire flags ;; esac
[ -n "$PLANTED_SECRET" ] && fire secret
printf '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
echo '{"type":"result","subtype":"success","is_error":false,"result":"done"}'
`;

/** A package manager of the person's, which a repository may not have started. */
const tool = (canary: string): string => `#!/bin/sh
[ "$1" = --version ] && { echo 11.0.0; exit 0; }
echo "$0 $*" >> '${canary}'
`;

/** A person with a home, tools of their own, and a place for clones. */
export class Person implements Disposable {
  readonly #folder: TempFolder = tempFolder();
  readonly place = realpathSync(this.#folder.path);
  readonly canary = join(this.place, 'canary');
  readonly home = join(this.place, 'home');
  readonly repo = join(this.place, 'repo');
  #path = '';

  constructor() {
    const bin = join(this.place, 'bin');
    for (const folder of [this.home, this.repo, bin]) mkdirSync(folder, { recursive: true });
    for (const cli of ['claude', 'codex', 'gemini', 'opencode'] as const)
      this.program(bin, cli, agentCli(cli, this.canary));
    for (const name of ['npm', 'make']) this.program(bin, name, tool(this.canary));
    this.#path = `${bin}:${process.env['PATH'] ?? ''}`;
    this.configures({});
    this.write('task.md', 'Do it.\n');
  }

  get env(): Readonly<Record<string, string>> {
    return { PATH: this.#path, HOME: this.home, PLANTED_SECRET: 'xyzzy-secret' };
  }

  /** As a person's shell may have it: a tool of the repository before the person's own. */
  putOnPath(entry: string): void {
    this.#path = `${entry}:${this.#path}`;
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.place, name)), { recursive: true });
    writeFileSync(join(this.place, name), text);
  }

  /** Writes the person's own configuration. No sandbox: what a stand-in leaves lies outside of its workspace. */
  configures(more: object): void {
    this.write(
      'home/.config/tutti/config.yaml',
      JSON.stringify({ driver: 'claude', sandbox: 'off', ...more }),
    );
  }

  /** A file of the repository. */
  brings(name: string, text: string | object): void {
    this.write(join('repo', name), typeof text === 'string' ? text : JSON.stringify(text));
  }

  program(folder: string, name: string, text: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }

  /** A program of the repository that leaves a canary. */
  plants(name: string): void {
    const text = `#!/bin/sh\ncat > /dev/null < /dev/null\necho planted ${name} >> '${this.canary}'\necho 9.9.9\n`;
    this.program(dirname(join(this.repo, name)), name.split('/').at(-1) ?? '', text);
  }

  /** What a planted command line runs. */
  get fires(): readonly [string, ...string[]] {
    return ['sh', '-c', `echo planted >> '${this.canary}'`];
  }

  git(folder: string, ...args: readonly string[]): void {
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'protocol.file.allow=always'];
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.home };
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe', env });
  }

  commit(folder = this.repo, ...what: readonly string[]): void {
    if (!existsSync(join(folder, '.git'))) this.git(folder, 'init', '-q', '-b', 'main');
    this.git(folder, 'add', '-A', '-f', '--', ...what);
    this.git(folder, 'commit', '-q', '--allow-empty', '-m', 'x');
  }

  get fired(): boolean {
    return existsSync(this.canary);
  }

  [Symbol.dispose](): void {
    if (readdirSync(this.place).length > 0) this.#folder[Symbol.dispose]();
  }
}
