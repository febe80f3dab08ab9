import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { quoted } from '../../model/schemas/code-frame.ts';

const longest = 4096;

export interface FolderRule {
  /** What a relative path begins at. */
  readonly from: string;
  /** It must lead into one of these; null: anywhere. */
  readonly within: readonly string[] | null;
}

/**
 * A directory that an agent may work in or look at, as it really is. Refused is what could mean something else than it
 * seems: `..`, a name that reads as an option, a link. What was checked is what is used.
 */
export function checkedFolder(path: string, { from, within }: FolderRule): Result<string, string> {
  const shown = quoted(path.slice(0, 120));
  if (path === '' || path.includes('\0') || path.length > longest) return err(`${shown} is no directory`);
  if (path.startsWith('-')) return err(`${shown} begins like an option: write ./${path.slice(0, 80)}`);
  if (path.split('/').includes('..')) return err(`${shown} goes up with "..": give the directory itself`);
  const full = isAbsolute(path) ? path : resolve(from, path);
  try {
    const facts = lstatSync(full.replace(/\/+$/, '') || '/');
    if (facts.isSymbolicLink()) return err(`${shown} is a link: give the directory it leads to`);
    if (!facts.isDirectory()) return err(`${shown} is no directory`);
    const real = realpathSync(full);
    if (within !== null && !within.some((root) => isWithin(realpathSync(root), real))) {
      return err(`${shown} is outside ${within[0] ?? 'the project'}`);
    }
    return ok(real);
  } catch {
    return err(`${shown} is no directory`);
  }
}
