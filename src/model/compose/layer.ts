import type { Layer } from '../propagation.ts';

/** The layers that files define, bottom first. The primitive below them runs one session and has no file. */
export const composeLayers = ['executor', 'orchestrator', 'coordinator', 'campaign'] as const;

export type ComposeLayer = (typeof composeLayers)[number];

/** Every layer that an exit code can come from, bottom first: the position in this list is the number of the layer. */
export const allLayers = ['primitive', ...composeLayers] as const;

export type AnyLayer = (typeof allLayers)[number];

/** The layers that call another one, bottom first. */
export const callingLayers: readonly Layer[] = ['orchestrator', 'coordinator', 'campaign'];

/** Folder of each layer below `compose/`. */
export const layerFolders: Readonly<Record<ComposeLayer, string>> = {
  executor: 'executors',
  orchestrator: 'orchestrators',
  coordinator: 'coordinators',
  campaign: 'campaigns',
};

const below: Readonly<Record<Layer, ComposeLayer>> = {
  orchestrator: 'executor',
  coordinator: 'orchestrator',
  campaign: 'coordinator',
};

/** The only layer that a layer may call. */
export function layerBelow(layer: Layer): ComposeLayer {
  return below[layer];
}
