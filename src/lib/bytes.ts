const units: readonly string[] = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `500MB`, `1.5 GB`, `64k`; a bare number is bytes. Powers of 1024. Null for anything else. */
export function parseBytes(text: string): number | null {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?([kmgt]?)i?b?$/i.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return null;
  const power = unit === '' ? 0 : units.findIndex((name) => name.startsWith(unit.toUpperCase()));
  const bytes = Math.round(Number(amount) * 1024 ** power);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** As people read it: `812 B`, `1.5 MB`, `500 MB`. */
export function formatBytes(bytes: number): string {
  let power = 0;
  while (power < units.length - 1 && bytes >= 1024 ** (power + 1)) power += 1;
  const amount = bytes / 1024 ** power;
  const digits = power === 0 || amount >= 99.95 || Number.isInteger(amount) ? 0 : 1;
  return `${amount.toFixed(digits)} ${String(units[power])}`;
}
