import { env as inherited } from 'node:process';

/**
 * What could make git run a program, ask somebody, or follow a repository elsewhere. A repository's own configuration is
 * text that an agent can write, so every call overrules it. `GIT_CONFIG_*` and not `-c`: a name may hold an equals sign.
 */
const pins: readonly (readonly [name: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.askPass', ''],
  ['core.editor', 'true'],
  ['core.pager', 'cat'],
  ['core.alternateRefsCommand', ''],
  ['core.untrackedCache', 'false'],
  ['core.splitIndex', 'false'],
  ['core.ignoreStat', 'false'],
  ['core.trustCtime', 'true'],
  ['core.checkStat', 'default'],
  ['core.safecrlf', 'false'],
  ['core.protectNTFS', 'true'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['diff.ignoreSubmodules', 'dirty'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['status.submoduleSummary', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['merge.verifySignatures', 'false'],
  ['merge.conflictStyle', 'merge'],
  ['advice.addEmbeddedRepo', 'false'],
  ['safe.bareRepository', 'explicit'],
];

/** What of the operator's environment git may see: where programs and the operator's own settings are, and no more. */
const passed: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'GIT_CONFIG_GLOBAL',
];

export type Pin = readonly [name: string, value: string];

/** The complete environment of a git process. `GIT_DIR` and its like, as a hook of the operator's would set them, are not in it. */
export function gitEnvironment(
  further: readonly Pin[],
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const all = [...pins, ...further];
  const config = all.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  const own = passed.flatMap((name) => {
    const value = inherited[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(config),
    ...extra,
  };
}

/** Names of settings that run a program for certain files, and whatever the repository says, for `git config --get-regexp`. */
export const programSettings =
  '^(filter|merge|diff)\\..*\\.(clean|smudge|process|required|driver|command|textconv)$';

/** Makes such a setting harmless: the file is taken as it is, and merged as text. */
export function harmless(name: string): Pin {
  if (name.endsWith('.required')) return [name, 'false'];
  return [name, name.startsWith('merge.') ? 'git merge-file %A %O %B' : ''];
}
