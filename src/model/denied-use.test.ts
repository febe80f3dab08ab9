import { expect, test } from 'vitest';
import { describeDenied, findOutside } from './denied-use.ts';

test('a denied use is described by its tool and what it was to be used on', () => {
  expect(describeDenied({ tool: 'Bash', target: 'npm publish' })).toBe('Bash npm publish');
  expect(describeDenied({ tool: 'Bash' })).toBe('Bash');
});

test('a path that a tool was to change is outside if no folder contains it', () => {
  const folders = ['/w', '/sessions/s'];
  expect(findOutside({ tool: 'Write', target: '/etc/hosts' }, folders)).toBe('/etc/hosts');
  expect(findOutside({ tool: 'edit', target: '/work/a.ts' }, folders)).toBe('/work/a.ts');
  // Controls: a path inside, a command, a tool that only looks, and a use whose path is not known.
  expect(findOutside({ tool: 'Write', target: '/w/a.ts' }, folders)).toBeNull();
  expect(findOutside({ tool: 'Write', target: 'a.ts' }, folders)).toBeNull();
  expect(findOutside({ tool: 'Bash', target: '/bin/rm x' }, folders)).toBeNull();
  expect(findOutside({ tool: 'Read', target: '/etc/hosts' }, folders)).toBeNull();
  expect(findOutside({ tool: 'Write' }, folders)).toBeNull();
});
