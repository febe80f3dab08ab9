import { oneLine } from '../../lib/terminal-text.ts';
import type { UsageSum } from '../../model/price-sum.ts';
import type { Paint } from './style.ts';
import { displayWidth, fit, pad } from './width.ts';

/** Cells in columns: the first ones to the left, numbers to the right, so that they can be compared. */
export function alignedTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  left: number,
  paint: Paint,
  columns: number,
): string[] {
  const widths = titles.map((title, index) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), displayWidth(title)),
  );
  const line = (row: readonly string[]): string => {
    const cells = row.map((cell, index) => {
      const width = widths[index] ?? 0;
      return index < left ? pad(cell, width) : `${' '.repeat(width - displayWidth(cell))}${cell}`;
    });
    return fit(cells.join('  ').trimEnd(), columns);
  };
  return [paint('quiet', line(titles)), ...rows.map(line)];
}

export function costCells(name: string, sum: UsageSum): readonly string[] {
  const { turns, inputTokens, outputTokens, withoutPrice, computedUsd } = sum;
  const more = sum.costUsd !== null && withoutPrice > 0 ? ` + ${withoutPrice} unknown` : '';
  const mark = computedUsd > 0 ? '~' : '';
  const cost = turns === 0 ? '-' : `${mark}${money(sum.costUsd)}${more}`;
  return [oneLine(name, 80), String(turns), tokens(inputTokens, turns), tokens(outputTokens, turns), cost];
}

/** Whole cents look settled; what is less than that is what a single turn costs. */
export function money(usd: number | null): string {
  if (usd === null) return 'unknown';
  return `$${usd.toFixed(usd > 0 && usd < 10 ? 4 : 2)}`;
}

function tokens(count: number | null, turns: number): string {
  if (count !== null) return count.toLocaleString('en-US');
  return turns === 0 ? '-' : 'unknown';
}
