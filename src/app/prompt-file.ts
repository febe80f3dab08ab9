import { resolve } from 'node:path';
import { err, ok, type Result } from '../lib/result.ts';
import { readNamedFile } from './confinement.ts';
import { refusal, type Refusal } from './refusal.ts';
import type { Variables } from './state-folder.ts';

const maxPrompt = 16 * 1024 * 1024;

interface Naming {
  /** What a message calls it: `Task prompt file`. */
  readonly noun: string;
  /** Where the caller stands. */
  readonly folder: string;
  readonly env: Variables;
}

/** A text that a caller names for an agent, byte for byte. */
export function readPromptFile(path: string, { noun, folder, env }: Naming): Result<string, Refusal> {
  const shown = path.slice(0, 200);
  const text = readNamedFile(resolve(folder, path), maxPrompt, env);
  if (!text.ok && text.error.why === 'absent')
    return usage(`${noun} not found: ${shown}`, 'write the task into a file and give its path');
  if (!text.ok) return usage(`${noun} ${shown} ${text.error.message}`, 'give a file of UTF-8 text');
  return checkPromptText(text.value, `${noun} ${shown}`);
}

/** Refuses a text that no agent can be given, or that says nothing. */
export function checkPromptText(text: string, noun: string): Result<string, Refusal> {
  if (text.includes('\0')) return usage(`${noun} contains NUL, which no agent can be given`, 'remove it');
  if (text.trim() === '') return usage(`${noun} is empty`, 'write the text into it');
  return ok(text);
}

function usage(message: string, hint: string): { readonly ok: false; readonly error: Refusal } {
  return err(refusal('USAGE', message, hint));
}
