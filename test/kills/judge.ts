/** What a project shows after processes were killed and the work was brought to its end. */
export interface Evidence {
  /** `begin` and `end` of every turn and command, in the order in which they happened, written by themselves. */
  readonly ledger: readonly string[];
  /** Names of everything that has to happen exactly once. */
  readonly expected: readonly string[];
  /** Processes that are still alive. */
  readonly survivors: readonly string[];
  /** Runs, sessions and slots that did not come to a good end, and commands that did not end. */
  readonly stuck: readonly string[];
  /** Commands that were not killed and ended otherwise than their run. */
  readonly left: readonly string[];
}

/** Each list names what is wrong; all are empty when every promise was kept. */
export interface Findings {
  readonly launchedAgain: readonly string[];
  readonly lost: readonly string[];
  readonly survivors: readonly string[];
  readonly stuck: readonly string[];
  readonly lostRuns: readonly string[];
}

export function judge({ ledger, expected, survivors, stuck, left }: Evidence): Findings {
  const count = (line: string): number => ledger.filter((one) => one === line).length;
  const begun = new Set(ledger.flatMap((line) => (line.endsWith(' begin') ? [line.slice(0, -6)] : [])));
  return {
    launchedAgain: [...begun].filter((name) => count(`${name} begin`) > 1 || !expected.includes(name)),
    lost: expected.filter((name) => count(`${name} end`) === 0),
    survivors,
    stuck,
    lostRuns: left,
  };
}

/** One line for each thing that is wrong. */
export function describeFindings(findings: Findings): readonly string[] {
  return Object.entries(findings).flatMap(([what, names]: [string, readonly string[]]) =>
    names.map((name) => `${what}: ${name}`),
  );
}
