import type { SurfacePower, SurfaceReader } from './trust.ts';

/** Where a CLI looks, in the folder it works in and in those above it. `folder/*`: everything directly in that folder. */
export interface SurfacePlace {
  readonly cli: SurfaceReader;
  readonly power: SurfacePower;
  readonly at: string;
}

/** Names files that git ignores and every workspace gets a copy of. */
export const includeFile = '.worktreeinclude';

/** What Tutti itself takes from the root of a project. Other things in these folders are none of its business. */
export const projectPlaces: readonly (SurfacePlace & { readonly named?: RegExp })[] = [
  { cli: 'tutti', power: 'acts', at: 'tutti.yaml' },
  { cli: 'tutti', power: 'acts', at: 'cassette.yaml' },
  { cli: 'tutti', power: 'acts', at: includeFile },
  { cli: 'tutti', power: 'acts', at: 'agents/*', named: /^[^./]+(?:\.md)?$/ },
  { cli: 'tutti', power: 'acts', at: 'skills/*', named: /^[^./]+$/ },
  { cli: 'tutti', power: 'acts', at: '.agents/skills/*', named: /^[^./]+$/ },
  { cli: 'tutti', power: 'acts', at: 'templates/*', named: /^[^./]+\.md$/ },
  { cli: 'tutti', power: 'acts', at: 'flows/*', named: /\.(?:ya?ml|json)$/ },
  { cli: 'tutti', power: 'acts', at: 'protocols/*', named: /^[^.]/ },
  { cli: 'tutti', power: 'acts', at: 'compose/*', named: /^[^.]/ },
];
