export type Variables = Readonly<Record<string, string | undefined>>;

/** Whether the value of a variable switches something on. */
export function isOn(value: string | undefined): boolean {
  return !['', '0', 'false'].includes((value ?? '').toLowerCase());
}
