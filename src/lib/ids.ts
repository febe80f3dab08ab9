/** Every name that becomes part of a path, a tmux target or a git ref: checked where it enters and where it is used. */
const safe = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
const safeWithDots = /^[a-z0-9][a-z0-9_.-]{0,127}$/i;

export function isSafeName(text: string): boolean {
  return safe.test(text);
}

/** Derived ids (a child run) join safe names with single dots; `..` stays impossible. */
export function isSafeId(text: string): boolean {
  return safeWithDots.test(text) && !text.includes('..') && !text.endsWith('.');
}

/** A readable safe name out of any text; never empty. */
export function slug(text: string, max = 40): string {
  const cleaned = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, max)
    .replaceAll(/^-+|-+$/g, '');
  return cleaned === '' ? 'x' : cleaned;
}

/** `20251118-153042`, in UTC so that names sort the same everywhere. */
export function timestampId(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}`;
}
