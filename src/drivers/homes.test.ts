import { expect, test } from 'vitest';
import { findCliHome, placedHome } from './homes.ts';

const opencode = findCliHome({
  type: 'acp',
  agent: { preset: 'opencode' },
} as Parameters<typeof findCliHome>[0]);

test('the folders of a CLI are where the variables of the person have them', () => {
  if (opencode === null) throw new Error('opencode has a home');
  const { folders, guarded } = placedHome(opencode, {
    XDG_STATE_HOME: '/state',
    XDG_CONFIG_HOME: 'not/absolute',
  });
  expect(folders).toContain('/state/opencode');
  expect(folders).toContain('.local/share/opencode');
  expect(guarded).toContain('.config/opencode/opencode.json');
  // The control: without variables everything is below the home.
  expect(placedHome(opencode, {})).toEqual(opencode);
});
