import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, put } from './rig.ts';

/** A place where whatever runs leaves its name. */
export interface Canaries {
  readonly folder: string;
  /** A program that does, under this name. */
  program(name: string): string;
  sung(): readonly string[];
}

export function canariesIn(folder: string): Canaries {
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    program: (name) => {
      const path = join(folder, `${name}.sh`);
      writeFileSync(path, `#!/bin/sh\ntouch '${join(folder, name)}.sang'\ncat\n`);
      chmodSync(path, 0o755);
      return path;
    },
    sung: () => readdirSync(folder).filter((name) => name.endsWith('.sang')),
  };
}

/** Every setting known to run a program, in the configuration of one repository. */
export function poison(folder: string, canaries: Canaries): void {
  const set = (name: string, value: string): void => {
    git(folder, 'config', name, value);
  };
  set('core.fsmonitor', canaries.program('fsmonitor'));
  set('core.sshCommand', canaries.program('ssh'));
  set('core.editor', canaries.program('editor'));
  set('core.pager', canaries.program('pager'));
  set('core.askPass', canaries.program('askpass'));
  set('core.alternateRefsCommand', canaries.program('alternate-refs'));
  set('credential.helper', `!${canaries.program('credential')}`);
  set('diff.external', canaries.program('diff-external'));
  set('gpg.program', canaries.program('gpg'));
  set('commit.gpgSign', 'true');
  set('filter.evil.clean', canaries.program('clean'));
  set('filter.evil.smudge', canaries.program('smudge'));
  set('filter.a=b.clean', canaries.program('clean-equals'));
  set('filter.a=b.smudge', canaries.program('smudge-equals'));
  set('filter.long.process', canaries.program('process'));
  set('filter.long.required', 'true');
  set('diff.evil.textconv', canaries.program('textconv'));
  set('diff.evil.command', canaries.program('diff-command'));
  set('merge.evil.driver', `${canaries.program('merge-driver')} %A %O %B`);
  const included = join(canaries.folder, 'included.config');
  writeFileSync(included, `[filter "inner"]\n\tclean = ${canaries.program('included-clean')}\n`);
  set('include.path', included);
  const hooks = join(canaries.folder, 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const hook of everyHook) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch '${join(canaries.folder, hook)}.sang'\n`);
    chmodSync(join(hooks, hook), 0o755);
  }
  set('core.hooksPath', hooks);
}

const everyHook = [
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'reference-transaction',
  'post-rewrite',
];

/** Files whose attributes ask for all of those programs. */
export const bait = {
  '.gitattributes':
    '*.evil filter=evil diff=evil merge=evil\n*.equals filter=a=b\n*.long filter=long\n*.inner filter=inner\n',
  'x.evil': 'one\ntwo\n',
  'x.equals': 'equals\n',
  'x.long': 'long\n',
  'x.inner': 'inner\n',
};

/** What an agent does in its checkout, all of it bad. */
export function misbehave(root: string, canaries: Canaries): void {
  poison(root, canaries);
  put(root, {
    'x.evil': 'one\nagent\n',
    'y.equals': 'e\n',
    'y.long': 'l\n',
    'y.inner': 'i\n',
    '.gitmodules': submodule,
  });
}

const submodule = '[submodule "s"]\n\tpath = s\n\turl = ext::sh -c "touch /nowhere"\n\tupdate = !false\n';
