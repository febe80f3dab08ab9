import * as z from 'zod';
import { filledText, wanted } from './basic-shapes.ts';

/*
 * The shapes that the documents of a plan share. Agents write them and like to add members of their own: those are dropped,
 * and every member that is known must be there, so that a misspelt one is noticed as a missing one.
 */

export function document<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  return z.object(shape, wanted(`a mapping with ${Object.keys(shape).join(', ')}`));
}

export const documentVersion = z.literal('1.0', wanted('"1.0"'));

/** `B1`, `T001`: a letter that says what it is, and a number. */
function numbered(letter: string, fewest: number, example: string): z.ZodString {
  const what = `an id such as ${example}`;
  return z.string(wanted(what)).regex(new RegExp(`^${letter}[0-9]{${fewest},6}$`), `must be ${what}`);
}

export const domainId = numbered('D', 1, 'D1');
export const capabilityId = numbered('C', 1, 'C1');
export const behaviorId = numbered('B', 1, 'B1');
export const flowId = numbered('F', 1, 'F1');
export const taskId = numbered('T', 3, 'T001');

export const specRef = z.union(
  [filledText(), document({ quote: filledText(), location: filledText() })],
  wanted('a place in the specification: text, or a mapping with quote and location'),
);
