import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

type Packed = { readonly mode: number; readonly content: string } | { readonly link: string } | 'folder';

/** A folder as one compressed file. Sockets and the shared memory of a database are left out. */
export function packFolder(folder: string): Buffer {
  const entries: Record<string, Packed> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) entries[name] = { link: readlinkSync(path) };
    else if (stat.isDirectory()) entries[name] = 'folder';
    else if (stat.isFile() && !name.endsWith('-shm')) {
      entries[name] = { mode: stat.mode & 0o777, content: readFileSync(path).toString('latin1') };
    }
  }
  return brotliCompressSync(JSON.stringify(entries));
}

export function unpackFolder(packed: Buffer, folder: string): void {
  const entries = JSON.parse(brotliDecompressSync(packed).toString()) as Record<string, Packed>;
  mkdirSync(folder, { recursive: true });
  for (const [name, entry] of Object.entries(entries)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (entry === 'folder') mkdirSync(path, { recursive: true });
    else if ('link' in entry) symlinkSync(entry.link, path);
    else {
      writeFileSync(path, Buffer.from(entry.content, 'latin1'));
      chmodSync(path, entry.mode);
    }
  }
}
