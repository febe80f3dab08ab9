import { type Owner, ownerPart } from '../model/owner.ts';
import type { Target } from '../model/workspace.ts';

/** Names in an owner's repository. Task ids and names of owners are safe names, checked where they enter. */
type Place = { readonly task: string; readonly attempt: number };

export const nameOf = ({ task, attempt }: Place): string => `${task}-${attempt}`;
/** Branches of attempts begin with it, and the integration branch does. */
export const branchesOf = (owner: Owner): string => `tutti/${ownerPart(owner)}/`;
export const integrationBranch = (owner: Owner): string => `${branchesOf(owner)}integration`;
export const branchOf = (owner: Owner, place: Place): string => `${branchesOf(owner)}${nameOf(place)}`;
export const integrationRef = ({ owner }: Target): string => `refs/heads/${integrationBranch(owner)}`;
export const branchRef = ({ owner }: Target, place: Place): string => `refs/heads/${branchOf(owner, place)}`;
/** What the integration branch began with. */
export const baseRef = ({ owner }: Target): string => `refs/tutti/base/${ownerPart(owner)}`;
/** The commit an attempt became on the integration branch, and the work it was made of. */
export const landedRef = ({ owner }: Target, place: Place): string =>
  `refs/tutti/landed/${ownerPart(owner)}/${nameOf(place)}`;
export const sealedRef = ({ owner }: Target, place: Place): string =>
  `refs/tutti/sealed/${ownerPart(owner)}/${nameOf(place)}`;
/** Work that was done in the operator's own folder, and is on the integration branch since this commit. */
export const takenRef = ({ owner }: Target, place: Place): string =>
  `refs/tutti/taken/${ownerPart(owner)}/${nameOf(place)}`;
/** A commit that Tutti put on the integration branch, under its own name: an attempt that lands twice has one `landedRef`. */
export const madeRef = ({ owner }: Target, commit: string): string =>
  `refs/tutti/made/${ownerPart(owner)}/${commit}`;
/** Below these is every commit that Tutti put on the integration branch. */
export const recordedPlaces = ({ owner }: Target): readonly string[] =>
  ['landed', 'taken', 'made'].map((kind) => `refs/tutti/${kind}/${ownerPart(owner)}/`);
export const rescueRef = ({ owner }: Target, name: string): string =>
  `refs/tutti/rescue/${ownerPart(owner)}/${name}`;
export const snapshotRef = ({ owner }: Target, name: string): string =>
  `refs/tutti/snapshot/${ownerPart(owner)}/${name}`;
/** What of the integration branch is in the operator's folder. */
export const deliveredRef = ({ owner }: Target): string => `refs/tutti/delivered/${ownerPart(owner)}`;
/** Of an earlier owner of this name, in the operator's repository. */
export const formerRef = ({ owner }: Target, name: string): string =>
  `refs/tutti/former/${ownerPart(owner)}/${name}`;
/** For names of programs and containers, which take letters, digits and dashes. */
export const ownerLabel = ({ owner }: Target): string => ownerPart(owner).replace('+', '-');
