/** What workspaces, an integration branch and rescued work belong to. */
export interface Owner {
  readonly kind: 'plan' | 'crew' | 'campaign' | 'project';
  /** A safe name, unique among owners of its kind. A project is named by a digest of its folder. */
  readonly name: string;
}

/**
 * The owner as one part of a ref, a branch or a folder. Owners of two kinds never share it: `+` is in no name. A plan's is
 * its bare name, as earlier releases wrote it.
 */
export function ownerPart({ kind, name }: Owner): string {
  return kind === 'plan' ? name : `${kind}+${name}`;
}

export const planOwner = (name: string): Owner => ({ kind: 'plan', name });
