import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  cleanBundles,
  generateBundles,
  generateReady,
  listBundles,
  validateBundle,
  validateIntegrity,
} from '../../src/app/plans/bundles.ts';
import { ensurePlan, ExecuteProject } from './project.ts';

test('bundles are made for tasks that may start, are valid, and are listed and cleaned', async () => {
  using project = new ExecuteProject();
  using tutti = project.open();
  const found = await ensurePlan(tutti, project.path);
  expect(await generateReady(tutti, found)).toMatchObject({ ok: true, value: [{ task_id: 'T001' }] });
  expect(await validateIntegrity(tutti, found, 'T001')).toMatchObject({ ok: true });
  expect(await listBundles(tutti, found)).toEqual([
    { task: 'T001', path: found.paths.bundle('T001'), problem: null },
  ]);
  expect(cleanBundles(found)).toEqual(['T001']);
  expect(await listBundles(tutti, found)).toEqual([]);
  expect(await generateBundles(tutti, found, ['T009'])).toMatchObject({ ok: false });
});

test('a bundle is not used when what it was made from changed, when it is spoilt, or when what it builds on is missing', async () => {
  using project = new ExecuteProject();
  using tutti = project.open();
  const found = await ensurePlan(tutti, project.path);
  const integrity = async () => {
    const checked = await validateIntegrity(tutti, found, 'T002');
    return checked.ok ? 'sound' : checked.error.message;
  };
  expect(await integrity()).toContain('bundles/T002-bundle.json');
  const made = await generateBundles(tutti, found, ['T002']);
  if (!made.ok) throw new Error(made.error.message);
  expect(await integrity()).toContain('builds on files that are not there: package.json');
  for (const path of made.value[0]?.dependencies.files ?? []) {
    mkdirSync(dirname(join(project.path, path)), { recursive: true });
    writeFileSync(join(project.path, path), '');
  }
  expect(await integrity()).toBe('sound');
  const path = found.paths.bundle('T002');
  writeFileSync(
    path,
    JSON.stringify({ ...made.value[0], checksums: { ...made.value[0]?.checksums, spec: 'other' } }),
  );
  expect(await integrity()).toContain('was made from another spec');
  writeFileSync(path, '{"version": "1.0"');
  expect(validateBundle(found, 'T002')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('is not JSON') },
  });
  expect((await listBundles(tutti, found))[0]?.problem).toContain('is not JSON');
  rmSync(path);
  expect(validateBundle(found, 'T002')).toMatchObject({ ok: false });
});
