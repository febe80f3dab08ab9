import { expect, test } from 'vitest';
import { placedHome } from './homes.ts';
import { opencodeCli } from './opencode/cli.ts';

test('the folders of a CLI are where the variables of the person have them', () => {
  const { home } = opencodeCli;
  const { folders, guarded } = placedHome(home, {
    XDG_STATE_HOME: '/state',
    XDG_CONFIG_HOME: 'not/absolute',
  });
  expect(folders).toContain('/state/opencode');
  expect(folders).toContain('.local/share/opencode');
  expect(guarded).toContain('.config/opencode/opencode.json');
  // The control: without variables everything is below the home.
  expect(placedHome(home, {})).toEqual(home);
});
