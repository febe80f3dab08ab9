/** What a person or the machine decided about a new project. */
export interface ChosenDriver {
  readonly driver: string;
  /** Other drivers that the file mentions, those whose CLI is installed first. */
  readonly others: readonly string[];
}

/** `tutti.yaml` of a new project: the driver, its alternatives in comments, and the setup if there is one. */
export function renderConfig(
  { driver, others }: ChosenDriver,
  setup: readonly (readonly string[])[],
): string {
  return [
    '# Configuration of this project for Tutti. All members: tutti help configuration',
    '',
    '# The agent CLI that does the work.',
    `driver: ${driver}`,
    ...others.map((name) => `# driver: ${name}`),
    '# Any other program can be an agent too: tutti help drivers',
    ...(setup.length === 0
      ? []
      : [
          '',
          '# Prepares each new workspace before an agent works in it.',
          'workspace:',
          '  setup:',
          ...setup.map((command) => `    - ${JSON.stringify(command)}`),
        ]),
    '',
  ].join('\n');
}
