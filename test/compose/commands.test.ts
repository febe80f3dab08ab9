import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  composeExitForm,
  composeFindingForm,
  composeNewForm,
  composeRowForm,
  composeShowForm,
} from '../../src/model/schemas/compose-output.ts';
import { write } from '../cli/project.ts';
import { cli } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { soundFiles } from './sound-files.ts';

const objects = (out: string): readonly unknown[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

const twoStages = `stages:
  - { name: plan, executor: spec, args: [PLAN] }
  - { name: test, executor: spec, args: [TEST], needs: [plna] }
`;

test('compose list shows built-in definitions and trusted files of the project', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'compose/executors/own.md': '---\ndescription: Ours\n---\nYou are ours.\n',
    'compose/campaigns/broken.yaml': 'phases: 7\n',
  });
  const shown = await cli({ folder: folder.path }, 'compose', 'list');
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/^executor +own +- +compose\/executors\/own\.md +Ours$/m);
  expect(shown.out).toMatch(/^orchestrator +ospec +tool +built-in/m);
  expect(shown.err).toContain('compose/campaigns/broken.yaml:1:9: phases: must be a list of phases');
  const rows = await cli({ folder: folder.path }, 'compose', 'list', '--layer', 'coordinator', '--json');
  expect(objects(rows.out).map((row) => composeRowForm.parse(row).name)).toEqual([
    'coordinator',
    'coordinator-example',
  ]);
});

test('compose list names files that are not trusted and does not use them', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'compose/executors/spec.md': 'You are a thief.\n',
    'compose/executors/own.md': 'You are.\n',
  });
  const { out, err } = await cli({ folder: folder.path, trusts: false }, 'compose', 'list');
  expect(out).toMatch(/^executor +spec +- +built-in/m);
  expect(out).not.toContain('own');
  expect(err).toBe('tutti: executor own of this repository is not trusted: look at it, then: tutti trust\n');
  const refused = await cli({ folder: folder.path, trusts: false }, 'compose', 'show', 'own', '--json');
  expect(refused).toMatchObject({ code: 64, out: '' });
  expect(JSON.parse(refused.err)).toMatchObject({ status: 'error', error: { code: 'USAGE' } });
});

test('trust shows the prompts and commands of compositions', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'compose/executors/own.md': '---\nallow: [git]\n---\nYou are ours.\n',
    'compose/executors/prompts/far.md': 'You are far.\n',
    'compose/campaigns/c.yaml': 'sentinel: { checks: [{ name: t, command: [rm, -rf, /] }] }\n',
    'compose/campaigns/torn.json': '{',
    'compose/campaigns/picture.png': 'x',
  });
  const { out } = await cli({ folder: folder.path, trusts: false }, 'trust', '--show');
  expect(out).toContain('own.md (allow): git');
  expect(out).toContain("own.md (prompt): $'You are ours.");
  expect(out).toContain("prompts/far.md (prompt): $'You are far.");
  expect(out).toContain('c.yaml (sentinel.checks[0].command): rm -rf /');
  expect(out).toContain("torn.json (text): '{'");
  expect(out).not.toContain('picture');
});

test.for([
  ['spec', 'IMPLEMENT  high    target'],
  ['ospec', 'modifier leanest: implement, test'],
  ['oresearch', 'market, ux, tech'],
  ['coordinator', 'tier high'],
  ['coordinator-example', 'explore, prototype'],
  ['campaign', 'recommended depth: 6'],
] as const)('compose show %s prints what it defines', async ([name, text]) => {
  using folder = tempFolder();
  const { out, code } = await cli({ folder: folder.path }, 'compose', 'show', name);
  expect(code).toBe(0);
  expect(out).toContain(text);
});

test('compose show prints every sound file, for people and for programs', async () => {
  using folder = tempFolder();
  for (const { path, text, beside = {} } of soundFiles) {
    write(join(folder.path, 'compose'), { [path]: text, ...beside });
  }
  for (const { path } of soundFiles) {
    const [layer = '', name = ''] = path.split(/s\/|\./);
    const shown = await cli({ folder: folder.path }, 'compose', 'show', name, '--layer', layer);
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toContain(`file: compose/${path}`);
    const json = await cli({ folder: folder.path }, 'compose', 'show', name, '--layer', layer, '--json');
    expect(composeShowForm.parse(JSON.parse(json.out))).toMatchObject({ name, layer });
  }
});

test('compose lint reports rule, place and line, and exits with 1 for errors only', async () => {
  using folder = tempFolder();
  const none = await cli({ folder: folder.path }, 'compose', 'lint');
  expect(none).toMatchObject({ code: 0, out: expect.stringContaining('tutti compose new executor NAME') });
  write(folder.path, { 'compose/orchestrators/o.yaml': twoStages, 'drafts/c.yaml': twoStages });
  const { out, code } = await cli({ folder: folder.path }, 'compose', 'lint');
  expect(code).toBe(1);
  expect(
    out,
  ).toBe(`compose/orchestrators/o.yaml:3:57: stages[1].needs[0]: there is no stage 'plna'; did you mean 'plan'? (error: unknown-stage)
  3 |   - { name: test, executor: spec, args: [TEST], needs: [plna] }
    |                                                         ^
1 file checked: 1 error, 0 pieces of advice
`);
  const json = await cli({ folder: folder.path }, 'compose', 'lint', '--json');
  expect(objects(json.out).map((each) => composeFindingForm.parse(each))).toMatchObject([
    { rule: 'unknown-stage', severity: 'error', line: 3 },
  ]);
  const elsewhere = await cli({ folder: folder.path }, 'compose', 'lint', 'drafts/c.yaml', 'none.md');
  expect(elsewhere.out).toMatch(/drafts\/c\.yaml: no layer uses this name.*\(error: file-name\)/);
  expect(elsewhere.out).toContain('none.md: does not exist (error: unreadable)');
  const chosen = await cli(
    { folder: folder.path },
    'compose',
    'lint',
    'drafts/c.yaml',
    '--layer',
    'orchestrator',
  );
  expect(chosen.out).toContain('drafts/c.yaml:3:57:');
  const absent = await cli({ folder: folder.path }, 'compose', 'lint', 'compose/executors/none.md');
  expect(absent.out).toContain('compose/executors/none.md: does not exist (error: unreadable)');
});

test('advice alone lets compose lint pass', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'tutti.yaml': 'max_depth: 2\n',
    'compose/campaigns/c.md': 'You lead.\n',
    'compose/coordinators/c.yaml': 'phases: [{ name: a, orchestrator: ospec }]\n',
  });
  const { out, code } = await cli({ folder: folder.path }, 'compose', 'lint', '--json');
  expect(code).toBe(0);
  expect(objects(out).map((each) => composeFindingForm.parse(each).rule)).toEqual([
    'one-phase',
    'no-role',
    'no-call-below',
    'depth',
  ]);
});

const newDefinitions = [
  ['executor', [], null, 'compose/executors/fresh.md'],
  ['orchestrator', [], 'agent', 'compose/orchestrators/fresh.md'],
  ['orchestrator', ['--mode', 'tool'], 'tool', 'compose/orchestrators/fresh.yaml'],
  ['coordinator', ['--mode', 'agent'], 'agent', 'compose/coordinators/fresh.md'],
  ['coordinator', ['--mode', 'tool'], 'tool', 'compose/coordinators/fresh.yaml'],
  ['campaign', [], 'agent', 'compose/campaigns/fresh.md'],
  ['campaign', ['--mode', 'tool'], 'tool', 'compose/campaigns/fresh.yaml'],
] as const;

test.for(newDefinitions)(
  'compose new %s %j writes a file that passes the lint',
  async ([layer, flags, mode, file]) => {
    using folder = tempFolder();
    const made = await cli({ folder: folder.path }, 'compose', 'new', layer, 'fresh', ...flags, '--json');
    expect(composeNewForm.parse(JSON.parse(made.out))).toEqual({ layer, name: 'fresh', mode, file });
    const checked = await cli({ folder: folder.path }, 'compose', 'lint', '--json');
    // A campaign in agent mode nests deeper than a project allows by default.
    const rules = objects(checked.out).map((each) => composeFindingForm.parse(each).rule);
    expect(rules).toEqual(layer === 'campaign' && mode === 'agent' ? ['depth'] : []);
    expect(checked.code).toBe(0);
    const before = readFileSync(join(folder.path, file), 'utf8');
    const again = await cli({ folder: folder.path }, 'compose', 'new', layer, 'fresh');
    expect(again).toMatchObject({ code: 64, err: expect.stringContaining(`${file} already exists`) });
    expect(readFileSync(join(folder.path, file), 'utf8')).toBe(before);
  },
);

test('compose new refuses names that lead elsewhere, links out of the project and folders that are files', async () => {
  using folder = tempFolder();
  using outside = tempFolder();
  const made = await cli({ folder: folder.path }, 'compose', 'new', 'executor', 'plain');
  expect(made.out).toBe(
    'wrote compose/executors/plain.md\n  → edit it, then: tutti compose lint compose/executors/plain.md\n',
  );
  const name = await cli({ folder: folder.path }, 'compose', 'new', 'executor', '../x');
  expect(name).toMatchObject({ code: 64, err: expect.stringContaining('is no name for a definition') });
  symlinkSync(outside.path, join(folder.path, 'compose/campaigns'));
  const linked = await cli({ folder: folder.path }, 'compose', 'new', 'campaign', 'x');
  expect(linked).toMatchObject({ code: 64, err: expect.stringContaining('leads outside') });
  writeFileSync(join(folder.path, 'compose/coordinators'), 'x');
  const blocked = await cli({ folder: folder.path }, 'compose', 'new', 'coordinator', 'x');
  expect(blocked).toMatchObject({
    code: 69,
    err: expect.stringContaining('cannot write compose/coordinators/x.md'),
  });
});

test('compose exits prints the table, one code, and what concerns one layer', async () => {
  using folder = tempFolder();
  const all = await cli({ folder: folder.path }, 'compose', 'exits', '--json');
  const rows = objects(all.out).map((row) => composeExitForm.parse(row));
  expect(rows).toHaveLength(14);
  expect(rows.find(({ code }) => code === 12)).toEqual({
    code: 12,
    outcome: 'PARTIAL_SUCCESS',
    raised_by: ['orchestrator', 'coordinator', 'campaign'],
    orchestrator: 'retry-failed-parts',
    coordinator: 'retry-failed-parts',
    campaign: 'log-partial',
  });
  const one = await cli({ folder: folder.path }, 'compose', 'exits', '10', '--layer', 'coordinator');
  expect(one.out).toBe(
    'CODE  OUTCOME           RAISED BY                COORDINATOR\n10    NEEDS_REFINEMENT  executor to coordinator  resolve, call again\n',
  );
  const primitive = await cli({ folder: folder.path }, 'compose', 'exits', '--layer', 'primitive');
  expect(primitive.out).toContain('DEPTH_EXCEEDED   primitive');
  expect(primitive.out).not.toContain('PARTIAL_SUCCESS');
  const wrong = await cli({ folder: folder.path }, 'compose', 'exits', '7');
  expect(wrong.code).toBe(64);
});

test('names and layers are completed', async () => {
  using folder = tempFolder();
  write(folder.path, { 'compose/executors/osmosis.md': 'You are ours.\n' });
  const names = await cli({ folder: folder.path }, '__complete', 'compose', 'show', 'os');
  expect(names.out.split('\n').map((line) => line.split('\t')[0])).toEqual([
    'osmosis',
    'ospec',
    'ospec-agent',
    '',
  ]);
  const layers = await cli({ folder: folder.path }, '__complete', 'compose', 'new', 'c');
  expect(layers.out.split('\n').map((line) => line.split('\t')[0])).toEqual(['coordinator', 'campaign', '']);
});
