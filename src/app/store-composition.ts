import type { ProjectStore } from '../model/ports/project-store.ts';
import type { Queries } from '../model/ports/queries.ts';

/** The store of a project, behind its ports. */
export interface OpenedStore extends Disposable {
  readonly store: ProjectStore;
  readonly queries: Queries;
}

/** Puts something between every store that this process opens and the project that uses it. */
export type StoreComposition = (opened: OpenedStore) => OpenedStore;

let composition: StoreComposition = (opened) => opened;

/** Called once, by the entry of a program that is composed differently from the published one. */
export function composeStore(next: StoreComposition): void {
  composition = next;
}

export function composedStore(opened: OpenedStore): OpenedStore {
  return composition(opened);
}
