/** What the system calls an error (`ENOENT`); its text when it has no such name. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
