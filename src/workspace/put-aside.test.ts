import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needProgram } from '../../test/rig/need-program.ts';
import { type TempFolder, tempFolder } from '../../test/rig/temp-folder.ts';
import type { Move } from './guard-record.ts';
import { putAside } from './put-aside.ts';
import { sandboxed, type SandboxPlace } from './sandbox.ts';

/** A person's checkout with a submodule, and what agents do in it. */
class Checkout implements Disposable {
  readonly path: string;
  readonly #folder: TempFolder = tempFolder();
  readonly #sessionDir: string;

  constructor() {
    const at = (name: string): string => join(this.#folder.path, name);
    this.path = at('project');
    this.#sessionDir = at('session');
    for (const name of ['home', 'cache', 'answers/s1', 'session/requests', 'elsewhere', 'project', 'library'])
      mkdirSync(at(name), { recursive: true });
    for (const name of ['library', 'project']) {
      this.git(at(name), 'init', '-q');
      this.git(at(name), 'commit', '-q', '--allow-empty', '-m', 'first');
    }
    this.git(this.path, 'submodule', '--quiet', 'add', at('library'), 'libs/sub');
    this.git(this.path, 'commit', '-q', '-m', 'library');
  }

  at(name: string): string {
    return join(this.path, name);
  }

  git(folder: string, ...args: readonly string[]): void {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  }

  /** A turn of an agent that runs this script; its messages. */
  turn(script: string, how: Partial<SandboxPlace> & { readonly sandbox?: 'off' } = {}): string {
    const root = this.#folder.path;
    const place: SandboxPlace = {
      projectDir: this.path,
      workspace: this.path,
      workspaceFor: 'work',
      workspaceKind: 'checkout',
      sessionDir: this.#sessionDir,
      addDirs: [],
      guarded: ['.claude/settings.json', '.mcp.json'],
      home: join(root, 'home'),
      homes: [],
      homeGuards: [],
      cacheDir: join(root, 'cache'),
      requests: join(this.#sessionDir, 'requests'),
      answers: { all: join(root, 'answers'), own: join(root, 'answers/s1') },
      hasTerminal: false,
      programs: [],
      searchPath: process.env['PATH'],
      ...how,
    };
    const config = { mode: how.sandbox ?? 'workspace', write: [], domains: [] } as const;
    const identity =
      'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b\n';
    const [program, ...args] = sandboxed(['sh', '-c', `${identity}${script}`], config, place);
    return spawnSync(program, args, { cwd: place.workspace, encoding: 'utf8' }).stderr;
  }

  /** Paths that were moved, from the checkout. */
  putAside(): readonly string[] {
    return this.moves().map(({ from }) => from.slice(this.path.length + 1));
  }

  moves(): readonly Move[] {
    return putAside(this.#sessionDir, () => undefined);
  }

  /** Whether the person's own git runs what an agent left, which makes the file `fired`. */
  fires(): boolean {
    spawnSync('git', ['status'], { cwd: this.path, env: { PATH: process.env['PATH'] } });
    return existsSync(this.at('fired'));
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

const canary = '"touch \'$PWD/fired\'; false"';
const commondir = `mkdir evil && cp -r .git/config .git/objects .git/refs evil/ &&
  git config -f evil/config core.fsmonitor ${canary} && echo ../evil >.git/commondir`;
const submodule = `git config -f .git/modules/libs/sub/config core.fsmonitor ${canary}`;
const gitFile = `git init -q evil && git -C evil commit -q --allow-empty -m x &&
  git -C evil config core.fsmonitor ${canary} && echo gitdir: ../../evil/.git >libs/sub/.git`;
const movedAway = `mv libs old && mkdir -p libs && git init -q libs/sub &&
  git -C libs/sub commit -q --allow-empty -m x && git -C libs/sub config core.fsmonitor ${canary}`;
const embedded = `git init -q new && git -C new commit -q --allow-empty -m x && git add new &&
  git -C new config core.fsmonitor ${canary}`;

test.for([
  ['.git/commondir', commondir, ['.git/commondir']],
  ['the configuration of a submodule', submodule, []],
  ['the .git file of a submodule', gitFile, []],
  ['a folder that holds a submodule', movedAway, []],
  ['a new repository that the index lists', embedded, ['new/.git/hooks', 'new/.git/config']],
] as const)(
  'a plain git status runs nothing that a sandboxed agent left in %s',
  ([, script, moved], context) => {
    needProgram(context, 'bwrap');
    using checkout = new Checkout();
    checkout.turn(script);
    expect(checkout.putAside().toSorted()).toEqual([...moved].toSorted());
    expect(checkout.fires()).toBe(false);
    // The control: without the sandbox, or with nothing moved, it does.
    using open = new Checkout();
    open.turn(script, moved.length > 0 ? {} : { sandbox: 'off' });
    expect(open.fires()).toBe(true);
  },
);

test('a commit of a sandboxed agent in the checkout stays, and nothing is moved for it', (context) => {
  needProgram(context, 'bwrap');
  using checkout = new Checkout();
  checkout.turn('echo x >new.txt && git add new.txt && git commit -q -m agent && git switch -q -c topic');
  expect(checkout.putAside()).toEqual([]);
  const { stdout } = spawnSync('git', ['log', '--format=%s', '-1', 'topic'], {
    cwd: checkout.path,
    encoding: 'utf8',
  });
  expect(stdout).toBe('agent\n');
});

test('a settings file that came into being during a turn is moved into the folder of the session, with its content', (context) => {
  needProgram(context, 'bwrap');
  using checkout = new Checkout();
  writeFileSync(checkout.at('.mcp.json'), '{}');
  checkout.turn(
    'mkdir .claude && echo hooks >.claude/settings.json && echo x >.claude/notes.md; echo y >.mcp.json',
  );
  const [move] = checkout.moves();
  expect(checkout.putAside()).toEqual(['.claude/settings.json']);
  expect(readFileSync(move?.to ?? '', 'utf8')).toBe('hooks\n');
  expect(move?.to).toContain('/session/put-aside-');
  expect(existsSync(checkout.at('.claude/settings.json'))).toBe(false);
  expect(readFileSync(checkout.at('.claude/notes.md'), 'utf8')).toBe('x\n');
  expect(readFileSync(checkout.at('.mcp.json'), 'utf8')).toBe('{}');
});

test('a folder that an agent closes does not keep what is in it from being moved', (context) => {
  needProgram(context, 'bwrap');
  using checkout = new Checkout();
  checkout.turn('mkdir .claude && echo hooks >.claude/settings.json && mkdir .git/hooks2; chmod 500 .claude');
  expect(checkout.putAside()).toEqual(['.claude/settings.json']);
  chmodSync(checkout.at('.claude'), 0o700);
});

test('a link of an agent is moved itself, and what it leads to stays', (context) => {
  needProgram(context, 'bwrap');
  using checkout = new Checkout();
  const elsewhere = join(checkout.path, '../elsewhere');
  writeFileSync(join(elsewhere, 'settings.json'), 'mine');
  checkout.turn('ln -s ../elsewhere .claude');
  expect(checkout.putAside()).toEqual(['.claude']);
  expect(readFileSync(join(elsewhere, 'settings.json'), 'utf8')).toBe('mine');
});

test('a link of the person stays, and one that an agent puts in its place is moved', (context) => {
  needProgram(context, 'bwrap');
  using checkout = new Checkout();
  symlinkSync('../elsewhere', checkout.at('.claude'));
  checkout.turn('true');
  expect(checkout.putAside()).toEqual([]);
  checkout.turn('rm .claude && ln -s evil .claude');
  expect(checkout.putAside()).toEqual(['.claude']);
});

test('an agent cannot rewrite or move the record of what was there', (context) => {
  needProgram(context, 'bwrap');
  using checkout = new Checkout();
  const said = checkout.turn('echo "{}" >../session/guarded.json; mv ../session/guarded.json ../session/x');
  expect(said).toContain('Read-only file system');
  expect(said).toContain('busy');
});

test('in a workspace of a task, a new settings file is part of the work', (context) => {
  needProgram(context, 'bwrap');
  using checkout = new Checkout();
  checkout.turn('mkdir .claude && echo hooks >.claude/settings.json', { workspaceKind: 'task' });
  expect(checkout.putAside()).toEqual([]);
});

test('the .git file of a worktree is read-only', (context) => {
  needProgram(context, 'bwrap');
  using checkout = new Checkout();
  const tree = join(checkout.path, '../tree');
  checkout.git(checkout.path, 'worktree', 'add', '-q', tree);
  const before = readFileSync(join(tree, '.git'), 'utf8');
  expect(checkout.turn('echo gitdir: evil >.git', { workspace: tree, projectDir: tree })).toContain(
    'Read-only',
  );
  expect(readFileSync(join(tree, '.git'), 'utf8')).toBe(before);
  // In the main checkout, what leads the worktree to its repository.
  expect(checkout.turn('echo evil >.git/worktrees/tree/commondir')).toContain('Read-only');
  expect(checkout.turn('echo gitdir: evil >.git', { workspace: tree, sandbox: 'off' })).toBe('');
});

test('a repository that an agent begins keeps its commits, without the configuration', (context) => {
  needProgram(context, 'bwrap');
  using checkout = new Checkout();
  checkout.turn('git init -q . && git commit -q --allow-empty -m begun', {
    workspace: join(checkout.path, '../elsewhere'),
    projectDir: join(checkout.path, '../elsewhere'),
  });
  const elsewhere = join(checkout.path, '../elsewhere');
  expect(checkout.moves().map(({ from }) => from)).toEqual([
    join(elsewhere, '.git/hooks'),
    join(elsewhere, '.git/config'),
  ]);
  const { stdout } = spawnSync('git', ['log', '--format=%s'], { cwd: elsewhere, encoding: 'utf8' });
  expect(stdout).toBe('begun\n');
  expect(lstatSync(join(elsewhere, '.git')).isDirectory()).toBe(true);
});
