/** Decisions that a person may leave to agents. */
export const delegable = [
  'answer',
  'approve',
  'edit',
  'widen',
  'waive',
  'land',
  'raise',
  'trust',
  'resume',
] as const;

export type Delegable = (typeof delegable)[number];

/** What only a person may decide. Who may delegate is never delegated. */
export type Decision = Delegable | 'allow';
