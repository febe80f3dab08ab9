import type { SurfacePower, SurfaceReader } from './trust.ts';

/** Where a CLI looks, in the folder it works in and in those above it. `folder/*`: everything directly in that folder. */
export interface SurfacePlace {
  readonly cli: SurfaceReader;
  readonly power: SurfacePower;
  readonly at: string;
}

/**
 * Seen with claude 2.1.325, codex 0.166.0, gemini 0.61.0 and opencode 1.18.33. A folder that belongs to a CLI counts whole:
 * its next version may look for a file that none knows today. Of two places that fit, the first counts.
 */
export const surfacePlaces: readonly SurfacePlace[] = [
  { cli: 'claude', power: 'tells', at: 'CLAUDE.md' },
  { cli: 'claude', power: 'tells', at: 'CLAUDE.local.md' },
  { cli: 'claude', power: 'tells', at: '.claude/CLAUDE.md' },
  { cli: 'claude', power: 'tells', at: '.claude/rules' },
  { cli: 'claude', power: 'tells', at: '.claude/output-styles' },
  // Agents, commands and skills may name hooks and commands of their own.
  { cli: 'claude', power: 'acts', at: '.claude/*' },
  { cli: 'claude', power: 'acts', at: '.mcp.json' },
  { cli: 'codex', power: 'acts', at: '.codex/*' },
  { cli: 'gemini', power: 'tells', at: 'GEMINI.md' },
  { cli: 'gemini', power: 'tells', at: '.gemini/GEMINI.md' },
  { cli: 'gemini', power: 'acts', at: '.gemini/*' },
  { cli: 'gemini', power: 'acts', at: '.env' },
  { cli: 'opencode', power: 'acts', at: 'opencode.json' },
  { cli: 'opencode', power: 'acts', at: 'opencode.jsonc' },
  { cli: 'opencode', power: 'acts', at: '.opencode/*' },
];

/** What Tutti itself takes from the root of a project. Other things in these folders are none of its business. */
export const projectPlaces: readonly (SurfacePlace & { readonly named?: RegExp })[] = [
  { cli: 'tutti', power: 'acts', at: 'tutti.yaml' },
  { cli: 'tutti', power: 'acts', at: 'cassette.yaml' },
  { cli: 'tutti', power: 'acts', at: '.worktreeinclude' },
  { cli: 'tutti', power: 'acts', at: 'agents/*', named: /^[^./]+(?:\.md)?$/ },
  { cli: 'tutti', power: 'acts', at: 'skills/*', named: /^[^./]+$/ },
  { cli: 'tutti', power: 'acts', at: '.agents/skills/*', named: /^[^./]+$/ },
  { cli: 'tutti', power: 'acts', at: 'flows/*', named: /\.(?:ya?ml|json)$/ },
  { cli: 'tutti', power: 'acts', at: 'protocols/*', named: /^[^.]/ },
  { cli: 'tutti', power: 'acts', at: 'compose/*', named: /^[^.]/ },
];
