import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { check } from '../../model/schemas/issue.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import { trustFileForm } from '../../model/schemas/trust.ts';
import { stateFolder, type Variables } from '../state-folder.ts';

/** What was recorded when a person trusted a repository. */
export interface TrustRecord {
  readonly at: string;
  /** Digests of what it brought, by path. */
  readonly surfaces: ReadonlyMap<string, string>;
}

/** By the repository's root. */
export type TrustRecords = ReadonlyMap<string, TrustRecord>;

const maxBytes = 4 * 1024 * 1024;

/** Outside every repository: nothing that is cloned or written by an agent in its workspace can trust itself. */
export function trustFilePath(env: Variables): string {
  return join(stateFolder(env), 'trust.json');
}

/** An error is the end of a sentence, and means that nothing is trusted. */
export function readTrust(env: Variables): Result<TrustRecords, string> {
  const path = trustFilePath(env);
  const text = readText(path, { maxBytes, links: 'refuse' });
  if (!text.ok) return text.error.why === 'absent' ? ok(new Map()) : unusable(path, text.error.message);
  const { uid, mode } = statSync(path);
  // The group and everybody: whoever may write there could trust for the person.
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) {
    return unusable(path, 'can be written by somebody else');
  }
  const json = parseJson(text.value);
  const form = json.ok ? check(trustFileForm, json.value) : null;
  if (form === null || !form.ok) return unusable(path, 'is not what Tutti wrote');
  return ok(
    new Map(
      Object.entries(form.value.repositories).map(([root, { trusted_at: at, surfaces }]) => [
        root,
        { at, surfaces: new Map(Object.entries(surfaces)) },
      ]),
    ),
  );
}

function unusable(path: string, why: string): { readonly ok: false; readonly error: string } {
  return err(`no repository is trusted, because ${path} ${why}`);
}

export function writeTrust(env: Variables, records: TrustRecords): void {
  const path = trustFilePath(env);
  const repositories = Object.fromEntries(
    [...records].map(([root, { at, surfaces }]) => [
      root,
      { trusted_at: at, surfaces: Object.fromEntries(surfaces) },
    ]),
  );
  makePrivateFolder(dirname(path));
  replaceFile(path, `${JSON.stringify({ version: 1, repositories }, null, 2)}\n`);
}
