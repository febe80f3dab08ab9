import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../lib/atomic-file.ts';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import { checkTrustFile, type TrustRecord, type TrustRecords } from '../../model/trust-file.ts';
import { stateFolder, type Variables } from '../state-folder.ts';

export const emptyRecord: TrustRecord = { at: null, surfaces: new Map(), commands: [], declined: null };

const maxBytes = 16 * 1024 * 1024;

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
  // A file that the group or others may write could have been written by anyone.
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) {
    return unusable(path, 'can be written by others');
  }
  const json = parseJson(text.value);
  const records = json.ok ? checkTrustFile(json.value) : null;
  return records === null ? unusable(path, 'is not what Tutti wrote') : ok(records);
}

function unusable(path: string, why: string): { readonly ok: false; readonly error: string } {
  return err(`no repository is trusted, because ${path} ${why}`);
}

/** Repositories that are gone are left out. */
export function writeTrust(env: Variables, records: TrustRecords): void {
  const path = trustFilePath(env);
  const repositories = Object.fromEntries(
    [...records]
      .filter(([root]) => existsSync(root))
      .map(([root, { at, surfaces, ...rest }]) => [
        root,
        { trusted_at: at, surfaces: Object.fromEntries(surfaces), ...rest },
      ]),
  );
  replaceFile(path, `${JSON.stringify({ version: 2, repositories }, null, 2)}\n`);
}
