/** The example's specification: small enough to read, large enough that its tasks can be done side by side. */
export const specName = 'tiny-duration.md';

export const spec = `# tiny-duration

A library and a command that handle durations, in plain JavaScript with no dependencies.

- A table names the units \`h\`, \`m\` and \`s\`, with the milliseconds of each.
- \`parse('1h30m')\` gives milliseconds; anything that is not a duration throws a RangeError.
- \`format(5400000)\` gives text for people.
- \`sum(['1h', '30m'])\` adds durations and gives text.
- \`longest(['1h', '90m'])\` gives the longest of several durations.
- \`duration-sum 1h 30m\` prints the sum, and ends with code 1 and one sentence when a word is no duration.
- The package offers \`parse\`, \`format\`, \`sum\` and \`longest\`.

Every module has tests that run with \`node --test\`.

## Later

- Days and weeks.
`;
