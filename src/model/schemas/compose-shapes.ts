import * as z from 'zod';
import { findTier, tierByWord, tierWords } from '../compose/tier-word.ts';
import type { Tier } from '../turn.ts';
import { isSafeName } from '../../lib/ids.ts';
import { gateForm } from './gate.ts';
import { duration, filledText, list, oneOf, pathBelow, safeName, wanted, yesOrNo } from './basic-shapes.ts';

/** The shapes that the files of the four layers share. */

/** `medium`, or `medium-tier`. */
export const tierWord = oneOf(tierWords).transform((word): Tier => tierByWord[word]);

/** The tier that a text means by a word that ends in `-tier`; null: it means something else. */
export function readTierWord(text: string | null): Tier | null {
  return text?.endsWith('-tier') === true ? findTier(text) : null;
}

const toolWords = 'the name of a definition, such as spec';

/** Name of a definition in the layer below; the name of a Python tool means the definition of that name. */
export const toolName = z
  .string(wanted(toolWords))
  .refine((name) => isSafeName(name.replace(/\.py$/, '')), `must be ${toolWords}`)
  .meta({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\\.py)?$' })
  .transform((name) => name.replace(/\.py$/, ''));

export const sentence = filledText('a sentence that says what it is for').max(
  500,
  'must be at most 500 characters long',
);

const argumentTexts = list(filledText('an argument'), 'a list of arguments');

/** Where actions may write. */
export const writableGlobs = list(pathBelow('the directory it works in'), 'a list of patterns of file names');

export const gates = list(gateForm, 'a list of gates');

/** Members that stages and phases share. */
export const partShape = {
  name: safeName(),
  args: argumentTexts.optional(),
  needs: list(safeName(), 'a list of names').optional(),
  required: yesOrNo().optional(),
  timeout: duration.optional(),
} as const;

interface PartForm {
  readonly name: string;
  readonly args?: readonly string[] | undefined;
  readonly needs?: readonly string[] | undefined;
  readonly required?: boolean | undefined;
  readonly timeout?: number | undefined;
}

export function buildPart({ name, args, needs, required, timeout }: PartForm) {
  return {
    name,
    args: args ?? [],
    needs: needs ?? null,
    required: required ?? true,
    timeoutMs: timeout ?? null,
  };
}

/** How often a layer tries a failed part again, unless its file says otherwise. */
export const usualRetries = 1;

/** Deadline of an action and of a stage, unless its file says otherwise. */
export const usualTimeoutMs = 600_000;

/** What a definition is called, and where it stands. */
export interface DefinitionHead {
  readonly name: string;
  readonly source: string;
}
