import * as fc from 'fast-check';

/** What confuses readers of YAML, JSON and Markdown. */
const tokens = [
  '&a',
  '*a',
  '!!x ',
  '\0',
  '- ',
  ': ',
  '"',
  '{',
  '[',
  '\t',
  '|',
  '---',
  '---\n',
  '\n',
  '<<: *a',
  '\uFEFF',
  '\uD800',
];

/** The text with up to three places cut out and something else put there. */
export function corrupted(whole: string): fc.Arbitrary<string> {
  const corruption = fc.record({
    at: fc.nat(whole.length),
    cut: fc.nat(12),
    put: fc.oneof(fc.constantFrom(...tokens), fc.string()),
  });
  return fc
    .array(corruption, { minLength: 1, maxLength: 3 })
    .map((corruptions) =>
      corruptions.reduce((now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut), whole),
    );
}
