import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli } from './rig.ts';

test.for([
  [['--revoke'], 'tutti allow land --revoke'],
  [['--for', '1h'], 'tutti allow land --for 1h'],
] as const)(
  'allow %s without a decision is refused, and does not look as if it had worked',
  async ([flags, hint]) => {
    using folder = tempFolder();
    const { code, out, err } = await cli({ folder: folder.path, stdin: '' }, 'allow', ...flags);
    expect({ code, out, err }).toEqual({
      code: 64,
      out: '',
      err: `tutti: DECISION is missing\n  → for example: ${hint}\n`,
    });
  },
);
