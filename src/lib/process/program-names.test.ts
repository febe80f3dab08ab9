import { expect, test } from 'vitest';
import { programNames } from './program-names.ts';

test.each([
  [['/opt/claude/bin/claude.exe', 'claude'], ['claude', '-p'], ['claude']],
  [
    ['/usr/bin/node', 'MainThread'],
    ['node', '--no-warnings', '/x/bin/codex.js', 'exec'],
    ['node', 'MainThread', 'codex'],
  ],
  [
    ['/usr/bin/tmux', 'tmux: server'],
    ['tmux', 'new', '-s', 'claude'],
    ['tmux', 'tmux:'],
  ],
  [['/usr/bin/vim', 'vim'], ['vim', 'codex'], ['vim']],
  [['/usr/bin/node', 'node'], ['node'], ['node']],
  [['', ''], [''], []],
])('%j with arguments %j goes by the names %j', (files, argv, names) => {
  expect(programNames(files, argv)).toEqual(names);
});
