/** What `{NAME}` stands for in the texts of a cassette. */
export type Variables = ReadonlyMap<string, string>;

/** `{OPEN}` is a brace: how a recorded text says `{STEP}` and means just that. */
export function withOpen(variables: Iterable<readonly [string, string]>): Variables {
  return new Map([...variables, ['OPEN', '{']]);
}

/** Braces around anything that is no variable are left alone: code is full of them. */
export function fillIn(text: string, variables: Variables): string {
  return text.replaceAll(/\{([A-Z0-9_]+)\}/g, (written, name: string) => variables.get(name) ?? written);
}

/** The same in every text of a value. */
export function fillInAll(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return fillIn(value, variables);
  if (Array.isArray(value)) return value.map((item) => fillInAll(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [fillIn(name, variables), fillInAll(member, variables)]),
  );
}
