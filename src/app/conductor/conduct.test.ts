import { expect, test } from 'vitest';
import { newRun } from '../../../test/rig/engine.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';

import { conduct } from './conduct.ts';
import { openTutti } from '../../../test/rig/trust.ts';

test('a run that cannot be advanced is tried once and told, and the conductor goes', async () => {
  using folder = tempFolder();
  const opened = openTutti({ folder: folder.path, env: {}, create: true });
  if (!opened.ok) throw new Error(opened.error.message);
  using tutti = opened.value;
  await tutti.store.start(newRun('strange', 'a-workflow-of-a-newer-program'));
  const told: string[] = [];
  const end = await conduct(tutti, (line) => {
    told.push(line);
    if (told.length > 20) throw new Error(`it does not stop: ${told.slice(0, 5).join('; ')}`);
  });
  expect(end).toBe('done');
  expect(told.filter((line) => line.startsWith('run strange'))).toEqual([
    expect.stringContaining("needs the workflow 'a-workflow-of-a-newer-program'"),
  ]);
  expect(await tutti.queries.conductor()).toBeNull();
});
