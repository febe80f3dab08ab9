/** For programs: without the digits that adding binary fractions leaves behind. */
export function microDollars(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** `$5.00`, and of less than a dollar as much as says something: `$0.0123`, `less than $0.0001`. */
export function dollars(value: number): string {
  const cents = value.toFixed(2);
  if (value >= 1 || Number(cents) === value) return `$${cents}`;
  return value < 0.0001 ? 'less than $0.0001' : `$${value.toFixed(4)}`;
}
