import type { Json } from './json.ts';

/**
 * A number of tokens, dollars or seconds that a CLI told; null for what is none. One that no CLI can mean is none either:
 * sums of such numbers would be endless, and what is endless is recorded as nothing.
 */
export function amount(value: Json | undefined): number | null {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}
