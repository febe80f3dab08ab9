import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { loadFlow } from './load-flow.ts';

function sentences(path: string): readonly string[] {
  const loaded = loadFlow(path);
  return loaded.ok ? [] : loaded.error.map(problemSentence);
}

test('a flow file is read with its prompts, which stand beside it, byte for byte', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'flows', 'My Release.yaml');
  mkdirSync(join(folder.path, 'flows', 'prompts'), { recursive: true });
  writeFileSync(join(folder.path, 'flows', 'prompts', 'a.md'), '\uFEFF# Do\r\nit  \n');
  writeFileSync(
    path,
    'steps:\n  - {id: a, agent: coder, prompt_file: prompts/a.md}\n  - {id: b, agent: coder, prompt: x}\n',
  );
  expect(loadFlow(path)).toMatchObject({
    ok: true,
    value: {
      name: 'my-release',
      steps: [{ work: { prompt: '\uFEFF# Do\r\nit  \n' } }, { work: { prompt: 'x' } }],
    },
  });
});

test('JSON is as good as YAML', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'flow.json');
  writeFileSync(path, '{"name": "j", "steps": [{"id": "a", "command": ["true"]}]}');
  expect(loadFlow(path)).toMatchObject({ ok: true, value: { name: 'j' } });
});

test('every prompt that cannot be read is told, with the line that names it', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'flow.yaml');
  writeFileSync(join(folder.path, 'nul.md'), 'a\0b');
  writeFileSync(join(folder.path, 'empty.md'), '');
  writeFileSync(
    path,
    `steps:
  - {id: a, agent: coder, prompt_file: none.md}
  - {id: b, agent: coder, prompt_file: nul.md}
  - {id: c, agent: coder, prompt_file: empty.md}
  - {id: d, agent: coder, prompt_file: .}
`,
  );
  expect(sentences(path)).toEqual([
    `${path}:2:40: steps[0].prompt_file: ${folder.path}/none.md does not exist`,
    `${path}:3:40: steps[1].prompt_file: ${folder.path}/nul.md may not contain NUL or broken UTF-16`,
    `${path}:4:40: steps[2].prompt_file: ${folder.path}/empty.md must be text that is not empty`,
    `${path}:5:40: steps[3].prompt_file: ${folder.path} is a directory`,
  ]);
});

test('a flow file that is not there, a directory, no text or not YAML is one sentence', () => {
  using folder = tempFolder();
  const at = (name: string): string => join(folder.path, name);
  mkdirSync(at('folder'));
  writeFileSync(at('bytes.yaml'), Buffer.from([0xc3, 0x28]));
  writeFileSync(at('broken.yaml'), 'steps:\n  - id: a\n   needs: [b]\n');
  symlinkSync('loop.yaml', at('loop.yaml'));
  expect(sentences(at('none.yaml'))).toEqual([`${at('none.yaml')}: does not exist`]);
  expect(sentences(at('folder'))).toEqual([`${at('folder')}: is a directory`]);
  expect(sentences(at('bytes.yaml'))).toEqual([`${at('bytes.yaml')}: is not UTF-8 text`]);
  expect(sentences('/dev/null')).toEqual(['/dev/null: is not a file']);
  expect(sentences('a\0b')).toEqual(['a\0b: has a name that no file can have']);
  expect(sentences(at('loop.yaml'))).toEqual([`${at('loop.yaml')}: is a symbolic link that leads nowhere`]);
  expect(sentences(at('broken.yaml'))[0]).toMatch(/broken\.yaml:3:\d+: ./);
});

test('a mistake in a step is told with line, column, path and the line itself', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'flow.yaml');
  writeFileSync(path, 'steps:\n  - id: a\n    command: [make]\n    needs: b\n');
  const loaded = loadFlow(path);
  expect(loaded.ok ? [] : loaded.error).toEqual([
    {
      file: path,
      line: 4,
      column: 12,
      message: 'steps[0].needs: must be a list of step ids',
      frame: '4 |     needs: b\n  |            ^',
    },
  ]);
});
