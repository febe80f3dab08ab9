import type { Machine } from './machine.ts';
import type { Result } from './result.ts';
import type { Spread } from './spread.ts';

export interface Report {
  readonly machine: Machine;
  readonly load: { readonly before: number; readonly after: number };
  readonly results: readonly Result[];
}

export function tableOf({ machine, load, results }: Report): string {
  const rows = results.map((result) => [
    `${result.bench} ${result.name}`,
    side(result.subjectSpread, result.unit),
    side(result.floorSpread, result.unit),
    result.figure === null ? '-' : figure(result.figure),
    result.ratio === null ? '-' : `${figure(result.ratio.q1)}–${figure(result.ratio.q3)}`,
    `≤ ${result.bar}`,
    result.verdict === 'none' ? 'no verdict' : result.verdict,
  ]);
  const head = ['bench', 'tutti', 'floor', 'ratio', 'quartiles', 'bar', 'verdict'];
  const { cores, processor, memoryGb, kernel, node, filesystem, mkdirUs } = machine;
  return [
    ...aligned([head, ...rows]),
    '',
    ...results.map(
      ({ bench, name, subject, floor, rounds }) =>
        `${bench} ${name}: ${subject} / ${floor}, ${rounds} rounds`,
    ),
    '',
    ...results.flatMap(({ bench, name, why }) =>
      why === null ? [] : [`${bench} ${name}: no verdict, because ${why}`],
    ),
    `${cores} × ${processor}, ${memoryGb} GB, Linux ${kernel}, ${filesystem} (${mkdirUs} µs a directory), ` +
      `Node ${node}, load ${load.before} before and ${load.after} after`,
    '',
  ].join('\n');
}

function side(spread: Spread | null, unit: string): string {
  return spread === null ? '-' : `${figure(spread.median)} ${unit}`;
}

function figure(value: number): string {
  if (value >= 1000) return value.toFixed(0);
  if (value >= 100) return value.toFixed(1);
  return Math.abs(value) < 0.1 ? value.toFixed(3) : value.toFixed(2);
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}
