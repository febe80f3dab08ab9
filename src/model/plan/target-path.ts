const longestPath = 1024;
const longestName = 255;

/** Nearly all are. */
const ordinary = /^[\w@+-][\w.@+-]*(?:\/[\w@+-][\w.@+-]*)*$/;

/**
 * What is wrong with a path below the target directory, as the end of a sentence; null: nothing. There is one way to
 * write each path, because two tasks that own one file must be seen to.
 */
export function pathTrouble(path: string): string | null {
  if (path.length <= longestName && ordinary.test(path)) return null;
  if (/[\p{Cc}\p{Cf}]/u.test(path)) return 'may not contain control or invisible characters';
  if (path.includes('\\')) return 'must be written with "/", not "\\"';
  if (/^(?:\/|~|[a-z]:)/i.test(path)) return 'must be relative to the target directory';
  if (/[*?]/.test(path)) return 'must name one file, not a pattern';
  const names = path.split('/');
  if (names.includes('..')) return 'may not lead up with ".."';
  if (names.at(-1) === '') return 'must name a file, not a directory';
  if (names.some((name) => name === '' || name === '.')) {
    return `must be written as ${names.filter((name) => name !== '' && name !== '.').join('/')}`;
  }
  // Some file systems know no upper and lower case.
  const kept = names.find((name) => /^\.(?:git|tutti)$/i.test(name));
  if (kept !== undefined) return `may not lie in ${kept}/, which no task may write`;
  const long = path.length > longestPath || names.some((name) => Buffer.byteLength(name) > longestName);
  return long ? 'is longer than a path can be' : null;
}
