import { expect, test } from 'vitest';
import { openLibrary } from '../../src/app/compose/compose-library.ts';
import { describeDefinition } from '../../src/app/compose/describe-definition.ts';
import { findDefinition, listDefinitions } from '../../src/app/compose/find-definition.ts';
import { definitionEndings } from '../../src/app/compose/definition-places.ts';
import { composeLayers } from '../../src/model/compose/layer.ts';
import { lintDefinition } from '../../src/model/compose/lint-definition.ts';
import { composeShowForm } from '../../src/model/schemas/compose-output.ts';
import { write } from '../cli/project.ts';
import { ownProject } from '../rig/trust.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const noTrust = { counts: () => false };

test('every built-in definition is well-formed and breaks no rule, advice included', () => {
  using folder = tempFolder();
  const library = openLibrary(ownProject(folder.path));
  const { definitions, findings } = listDefinitions(library, undefined);
  expect(findings).toEqual([]);
  expect(definitions.map(({ layer, name }) => `${layer} ${name}`)).toEqual([
    'executor evaluator',
    'executor refinement-evaluator',
    'executor researcher',
    'executor roadmap-writer',
    'executor spec',
    'orchestrator oresearch',
    'orchestrator ospec',
    'orchestrator ospec-agent',
    'coordinator coordinator',
    'coordinator coordinator-example',
    'campaign campaign',
  ]);
  for (const definition of definitions) {
    expect(definition.description).not.toBe('');
    expect(lintDefinition(definition, { library, maxDepth: 7 })).toEqual([]);
    expect(composeShowForm.parse(describeDefinition(definition, library))).toMatchObject({
      name: definition.name,
      file: 'built-in',
    });
  }
});

test('the tiers of the actions of spec follow from what they do', () => {
  using folder = tempFolder();
  const spec = openLibrary(ownProject(folder.path)).find('executor', 'spec');
  const actions =
    spec?.layer === 'executor' && spec.vocabulary.kind === 'closed' ? spec.vocabulary.actions : [];
  expect(Object.fromEntries(actions.map(({ name, tier }) => [name, tier]))).toEqual({
    RESEARCH: 'medium',
    PLAN: 'medium',
    IMPLEMENT: 'high',
    TEST: 'low',
    REVIEW: 'medium',
    FIX: 'high',
    DOCUMENT: 'medium',
  });
});

test('the files of a project come before the built-in definitions', () => {
  using folder = tempFolder();
  write(folder.path, {
    'compose/executors/spec.md': '---\ndescription: Ours\n---\nYou are ours.\n',
    'compose/orchestrators/ospec.md': 'You are a sequencer.\n',
  });
  const library = openLibrary(ownProject(folder.path));
  expect(library.find('executor', 'spec')).toMatchObject({
    description: 'Ours',
    source: 'compose/executors/spec.md',
  });
  expect(library.find('orchestrator', 'ospec')).toMatchObject({ work: { mode: 'agent' } });
});

test('files that are not trusted are not read: the built-in definition counts, and others are refused', () => {
  using folder = tempFolder();
  write(folder.path, {
    'compose/executors/spec.md': 'You are a thief.\n',
    'compose/executors/own.md': 'You are a thief.\n',
    'compose/campaigns/own.yaml': 'phases: []\n',
    'agents/stranger.md': 'You are a thief.\n',
  });
  const library = openLibrary({ paths: { root: folder.path }, trust: noTrust });
  expect(library.find('executor', 'spec')?.source).toBe('built-in');
  for (const [layer, name] of [
    ['executor', 'own'],
    ['campaign', 'own'],
    ['executor', 'stranger'],
  ] as const) {
    expect(library.find(layer, name)).toBeNull();
    expect(findDefinition(library, name, layer)).toMatchObject({
      ok: false,
      error: { outcome: 'USAGE', message: expect.stringContaining('is not trusted') },
    });
  }
  const { definitions, findings } = listDefinitions(library, undefined);
  expect(definitions.every(({ source }) => source === 'built-in')).toBe(true);
  expect(JSON.stringify([definitions, findings])).not.toContain('thief');
  expect(findings).toHaveLength(3);
});

test('executors are found among commands, skills and agents of the project, and accept any action', () => {
  using folder = tempFolder();
  write(folder.path, {
    '.claude/commands/tidy.md': '---\ndescription: Tidies\nmodel: sonnet\n---\nTidy up.\n',
    '.claude/commands/both.md': 'From a command.\n',
    'skills/both/SKILL.md': 'From a skill.\n',
    'skills/sql/SKILL.md': '---\nname: sql\n---\nQuery.\n',
    'agents/poet.md': '---\ntier: high\n---\nRhyme.\n',
    'agents/broken.md': '---\ntier: huge\n---\nRhyme.\n',
  });
  const library = openLibrary(ownProject(folder.path));
  expect(library.names('executor')).toEqual(
    expect.arrayContaining(['both', 'broken', 'poet', 'sql', 'tidy', 'spec']),
  );
  expect(library.find('executor', 'tidy')).toMatchObject({
    description: 'Tidies',
    agent: { model: 'sonnet' },
    vocabulary: { kind: 'open', rules: { tier: 'medium', writes: null } },
  });
  expect(library.find('executor', 'both')?.source).toBe('.claude/commands/both.md');
  expect(library.find('executor', 'sql')?.source).toBe('skills/sql/SKILL.md');
  expect(library.find('executor', 'poet')).toMatchObject({ vocabulary: { rules: { tier: 'high' } } });
  expect(library.read('executor', 'broken')).toMatchObject({ ok: false, error: [{ rule: 'form', line: 2 }] });
});

test('a name that several layers, no layer or only hostile text has is refused with a next command', () => {
  using folder = tempFolder();
  write(folder.path, {
    'compose/executors/ospec.md': 'You are a helper.\n',
    'compose/executors/bad.yaml': 'x: 1\n',
  });
  const library = openLibrary(ownProject(folder.path));
  expect(findDefinition(library, 'ospec', undefined)).toMatchObject({
    error: {
      message: "'ospec' is the name of several definitions: executor and orchestrator",
      hint: 'choose one: tutti compose show ospec --layer executor',
    },
  });
  expect(findDefinition(library, 'ospec', 'executor')).toMatchObject({ ok: true });
  expect(findDefinition(library, 'opsec', 'orchestrator')).toMatchObject({
    error: { message: `there is no orchestrator "opsec"; did you mean 'ospec'?` },
  });
  expect(findDefinition(library, '../../etc/passwd', undefined)).toMatchObject({
    error: { message: 'there is no definition "../../etc/passwd"' },
  });
  expect(findDefinition(library, 'bad', undefined)).toMatchObject({
    error: { message: expect.stringContaining('compose/executors/bad.yaml:1:1: unknown member "x"') },
  });
});

test('two files of one name are refused, whichever endings they have', () => {
  using folder = tempFolder();
  for (const layer of composeLayers) {
    write(
      folder.path,
      Object.fromEntries(
        definitionEndings.map((ending) => [`compose/${layer}s/x.${ending}`, 'You are x.\n']),
      ),
    );
  }
  const library = openLibrary(ownProject(folder.path));
  for (const layer of composeLayers) {
    expect(library.read(layer, 'x')).toMatchObject({ ok: false, error: [{ rule: 'two-files' }] });
  }
});
