import { expect, test } from 'vitest';
import {
  named,
  type Surface,
  trustNote,
  unusedSurfaces,
  trustProblem,
  unrestrained,
  type WorkspaceTrust,
} from './trust.ts';
import { projectPlaces } from './trust-surfaces.ts';

const surfaces: readonly Surface[] = [
  { cli: 'claude', power: 'acts', path: '.claude/settings.json' },
  { cli: 'claude', power: 'tells', path: 'CLAUDE.md' },
  { cli: 'codex', power: 'acts', path: '.codex/config.toml' },
  { cli: 'gemini', power: 'tells', path: 'GEMINI.md' },
];
const trust: WorkspaceTrust = { trusted: false, repository: '/r', folders: ['/r'], surfaces };
const trusted: WorkspaceTrust = { ...trust, trusted: true };

const claude = { obeys: ['claude'], restrains: true } as const;
const bridge = { obeys: ['claude'], restrains: false } as const;

test('a driver that cannot be kept from what acts in a repository is refused until that is trusted', () => {
  expect(trustProblem('b', bridge, trust)).toBe(
    'driver b cannot be kept from .claude/settings.json of /r, which is not trusted: look at them, then: tutti trust',
  );
  expect(trustProblem('b', bridge, trusted)).toBeNull();
  expect(trustProblem('c', claude, trust)).toBeNull();
  expect(unrestrained('c', claude, trust)).toContain('.claude/settings.json');
});

test('text alone is no reason to refuse, and neither is what other CLIs look for', () => {
  expect(trustProblem('g', { obeys: ['gemini'], restrains: false }, trust)).toBeNull();
  expect(trustProblem('o', { obeys: ['opencode'], restrains: false }, trust)).toBeNull();
  expect(trustProblem('x', { obeys: [], restrains: false }, trust)).toBeNull();
});

test('what is not used is named, and instructions that every agent gets are not', () => {
  expect(trustNote(claude, trust, '')).toBe(
    'Not used, because the repository is not trusted (tutti trust): .claude/settings.json',
  );
  expect(trustNote(claude, trusted, '')).toBeNull();
  expect(trustNote({ obeys: ['opencode'], restrains: true }, trust, '')).toBeNull();
  const texts = ['CLAUDE.md', 'shop/CLAUDE.md', 'shop/AGENTS.md', 'shop/src/CLAUDE.md', 'CLAUDE.local.md'];
  const files = texts.map((path) => ({ path }));
  expect(unusedSurfaces(files, 'shop').map(({ path }) => path)).toEqual([
    'shop/src/CLAUDE.md',
    'CLAUDE.local.md',
  ]);
  expect(unusedSurfaces(files, '').map(({ path }) => path)).toEqual(texts.slice(1));
});

test('of many only the first are named, and each once', () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ path: `f${at}` }));
  expect(named([...many, ...many])).toBe('f0, f1, f2, f3, f4, f5, f6, f7, 4 more');
  expect(named(many.slice(0, 2))).toBe('f0, f1');
});

test('every place is relative, and stays in its folder', () => {
  for (const { at } of projectPlaces) expect(at).toMatch(/^(?!\/)(?!.*\.\.)[\w.*/-]+$/);
});
