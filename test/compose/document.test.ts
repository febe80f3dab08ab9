import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lintProject } from '../../src/app/compose/lint-compositions.ts';
import { lintRules } from '../../src/model/compose/lint-rules.ts';
import { write } from '../cli/project.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const page = readFileSync(repository('docs/compose.md'), 'utf8');

test('docs/compose.md lists every rule of the lint with its severity', () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (error|advice) \| (.+) \|$/gm)];
  const listed = rows.map(([, id = '', severity, reports]) => [id, { severity, reports }] as const);
  expect(Object.fromEntries(listed)).toEqual(lintRules);
});

test('the examples of docs/compose.md pass the lint', () => {
  using folder = tempFolder();
  const blocks = [...page.matchAll(/^```(yaml|markdown)\n([^]*?)^```$/gm)].map(
    ([, kind = '', text = '']) => ({
      kind,
      text,
    }),
  );
  const names = ['executors/migrate.md', 'orchestrators/a.yaml', 'coordinators/b.yaml', 'campaigns/c.yaml'];
  expect(blocks.map(({ kind }) => kind)).toEqual(['markdown', 'yaml', 'yaml', 'yaml']);
  for (const [at, name] of names.entries()) {
    write(join(folder.path, 'compose'), { [name]: blocks[at]?.text ?? '' });
  }
  expect(lintProject({ root: folder.path, maxDepth: 10 })).toEqual({ files: 4, findings: [] });
});
