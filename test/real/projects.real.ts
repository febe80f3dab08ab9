import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../../src/lib/find-program.ts';
import { recorded } from '../../src/lib/json.ts';
import { cannotRun } from '../../src/model/command.ts';
import type { OnCommit } from '../../src/model/plan/base-check.ts';
import { FixtureProject } from '../projects/fixture-project.ts';
import { type Fixture, fixtures } from '../projects/fixtures.ts';
import { type Cli, installed } from './install.ts';
import { report } from './report.ts';

/** Programs of a fixture: fetched from the registry, or expected on this machine. */
type Tools = { readonly registry: Cli } | { readonly machine: readonly string[] };

const toolsOf: Readonly<Record<string, Tools>> = {
  'npm with tests in the root': { machine: ['npm', 'node'] },
  'pnpm monorepo': { registry: 'pnpm' },
  yarn: { registry: 'yarn' },
  bun: { registry: 'bun' },
  deno: { registry: 'deno' },
  uv: { machine: ['uv'] },
  poetry: { machine: ['poetry'] },
  tox: { machine: ['tox', 'flake8'] },
  cargo: { machine: ['cargo'] },
  go: { machine: ['go'] },
  make: { machine: ['make'] },
};

type FoundTools =
  | { readonly ok: true; readonly prepare: (folder: string) => string }
  | { readonly ok: false; readonly why: string };

async function findTools(name: string): Promise<FoundTools> {
  const tools = toolsOf[name];
  if (tools === undefined) return { ok: false, why: `no tools are known for ${name}` };
  if ('registry' in tools) return fetchedTool(tools.registry);
  const missing = tools.machine.filter((tool) => findProgram(tool, process.env['PATH']) === null);
  if (missing.length > 0) return { ok: false, why: `${missing.join(', ')} is not installed` };
  // rustup's own `cargo` looks for its toolchains in the person's home, which tests replace.
  const real = tools.machine.includes('cargo') ? spawnSync('rustup', ['which', 'cargo']) : null;
  const bin = real?.status === 0 ? dirname(String(real.stdout)) : dirname(process.execPath);
  return { ok: true, prepare: () => bin };
}

async function fetchedTool(cli: Cli): Promise<FoundTools> {
  const found = await installed(cli);
  if (!found.ok) {
    report({ cli, version: found.version, case: null }, { verdict: 'not installed', why: found.why, ms: 0 });
    return found;
  }
  const prepare = (folder: string): string => {
    const bin = join(folder, 'tools');
    mkdirSync(bin);
    symlinkSync(found.program, join(bin, cli));
    return bin;
  };
  return { ok: true, prepare };
}

/** How the project's commands ended on the base, as the run's events say; setup is named only where it failed. */
async function baseEnds({ project }: FixtureProject): Promise<readonly Omit<OnCommit, 'output'>[]> {
  return (await project.tutti.queries.events('numerals-plan', 0)).flatMap(({ event }) => {
    if (event.type !== 'note' || event.name !== 'base') return [];
    return recorded<{ readonly ends: readonly Omit<OnCommit, 'output'>[] }>(event.data).ends;
  });
}

describe.for(fixtures.map((fixture): [string, Fixture] => [fixture.name, fixture]))(
  'the base check with real tools: %s',
  ([name, fixture]) => {
    test('a green base passes setup and every command, without a question', async ({ skip }) => {
      const tools = await findTools(name);
      if (!tools.ok) return skip(tools.why);
      using green = new FixtureProject(fixture, 'green', tools.prepare);
      const { ran } = await green.plan();
      expect((await green.project.questions()).map(({ question }) => question)).toEqual([]);
      expect(await baseEnds(green)).toMatchObject(
        fixture.commands.map((command) => ({ command, passed: true })),
      );
      expect(ran[0]).toBe('logical');
    });

    test('a red base is asked about before any launch', async ({ skip }) => {
      const tools = await findTools(name);
      if (!tools.ok) return skip(tools.why);
      using red = new FixtureProject(fixture, 'red', tools.prepare);
      expect(await red.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
      const [first] = await baseEnds(red);
      expect(first).toMatchObject({ command: fixture.commands[0], passed: false });
      expect(cannotRun(first?.exitCode ?? null)).toBe(false);
      expect(await red.project.questions()).toHaveLength(1);
    });
  },
);
