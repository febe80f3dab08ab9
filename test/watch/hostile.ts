import * as fc from 'fast-check';

/** What an agent may print to take over the terminal of whoever watches it, in bytes. */
const pieces: readonly Buffer[] = [
  ...[
    '\u001B',
    '\u001B[',
    '\u001B[31337m',
    '\u001B[2J',
    '\u001B[?1049h',
    '\u001B[6n',
    '\u001B]0;title\u0007',
    '\u001B]8;;http://evil.example\u001B\\link\u001B]8;;\u001B\\',
    '\u001B]52;c;ZXZpbA==\u0007',
    '\u001B]',
    '\u001BP+q544e\u001B\\',
    '\u001BP',
    '\u001B_apc\u001B\\',
    '\u001B^pm',
    '\u001BXsos',
    '\u001Bc',
    '\u001B(0',
    '\u009B2J',
    '\u009D0;title\u009C',
    '\u0090dcs\u009C',
    '\u0007',
    '\b\b\b',
    '\r',
    'rm -rf /\rharmless',
    '\u000E\u000F',
    '\u007F',
    '\u0000',
    '\u202Etxt.exe',
    '\u2066\u2069\u200F\u061C',
    '\n',
    '\t',
    'text ',
    'Grüße 世界 ',
  ].map((text) => Buffer.from(text)),
  // No UTF-8: single bytes that old terminals obey, and characters that are cut off.
  Buffer.from([0x9b, 0x32, 0x4a]),
  Buffer.from([0x9d]),
  Buffer.from([0xe4, 0xb8]),
  Buffer.from([0xf0, 0x9f]),
  Buffer.from([0xc2]),
  Buffer.from([0xff, 0xfe, 0x1b, 0x5b]),
];

export interface HostileStream {
  readonly bytes: Buffer;
  /** The sizes of the pieces in which it arrives. */
  readonly sizes: readonly number[];
}

export const hostileStream: fc.Arbitrary<HostileStream> = fc.record({
  bytes: fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...pieces) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
      ),
      { maxLength: 24 },
    )
    .map((parts) => Buffer.concat(parts)),
  sizes: fc.array(fc.integer({ min: 1, max: 16 }), { minLength: 1, maxLength: 8 }),
});

/** What a terminal could obey: everything but newline, tab and what is printed. */
export function commandsIn(text: string): readonly string[] {
  return Array.from(text).filter((character) => {
    if (character === '\n' || character === '\t') return false;
    const code = character.codePointAt(0) ?? 0;
    const control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
    const sided = [0x61c, 0x200e, 0x200f].includes(code);
    return control || sided || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  });
}
