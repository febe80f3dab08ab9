import type { Target } from '../model/plan/workspace.ts';

/** Names in a plan's repository. Task ids and plan names are safe names, checked where they enter. */
type Place = { readonly task: string; readonly attempt: number };

export const nameOf = ({ task, attempt }: Place): string => `${task}-${attempt}`;
export const integrationBranch = (plan: string): string => `tutti/${plan}/integration`;
export const branchOf = (plan: string, place: Place): string => `tutti/${plan}/${nameOf(place)}`;
export const integrationRef = ({ plan }: Target): string => `refs/heads/${integrationBranch(plan)}`;
export const branchRef = ({ plan }: Target, place: Place): string => `refs/heads/${branchOf(plan, place)}`;
/** What the integration branch began with. */
export const baseRef = ({ plan }: Target): string => `refs/tutti/base/${plan}`;
/** The commit an attempt became on the integration branch, and the work it was made of. */
export const landedRef = ({ plan }: Target, place: Place): string =>
  `refs/tutti/landed/${plan}/${nameOf(place)}`;
export const sealedRef = ({ plan }: Target, place: Place): string =>
  `refs/tutti/sealed/${plan}/${nameOf(place)}`;
/** Work that was done in the operator's own folder, and is on the integration branch since this commit. */
export const takenRef = ({ plan }: Target, place: Place): string =>
  `refs/tutti/taken/${plan}/${nameOf(place)}`;
/** A commit that Tutti put on the integration branch, under its own name: an attempt that lands twice has one `landedRef`. */
export const madeRef = ({ plan }: Target, commit: string): string => `refs/tutti/made/${plan}/${commit}`;
/** Below these is every commit that Tutti put on the integration branch. */
export const recordedPlaces = ({ plan }: Target): readonly string[] =>
  ['landed', 'taken', 'made'].map((kind) => `refs/tutti/${kind}/${plan}/`);
export const rescueRef = ({ plan }: Target, name: string): string => `refs/tutti/rescue/${plan}/${name}`;
export const snapshotRef = ({ plan }: Target, name: string): string => `refs/tutti/snapshot/${plan}/${name}`;
/** What of the integration branch is in the operator's folder. */
export const deliveredRef = ({ plan }: Target): string => `refs/tutti/delivered/${plan}`;
/** Of an earlier plan of this name, in the operator's repository. */
export const formerRef = ({ plan }: Target, name: string): string => `refs/tutti/former/${plan}/${name}`;
