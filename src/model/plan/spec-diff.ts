/** More lines than this in the part that differs are not compared line by line: they are all old and all new. */
const mostCompared = 1_500;
const context = 2;
const mostTold = 20_000;

/**
 * What changed between two texts, line by line, with a little around it: `-` was, `+` is. Made in code, so that an agent
 * need not find out what the person edited.
 */
export function specDiff(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const middle = compared(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  if (middle.length === 0) return '';
  const lines = [
    ...a.slice(Math.max(0, head - context), head).map((line) => `  ${line}`),
    ...middle,
    ...a.slice(a.length - tail, Math.min(a.length, a.length - tail + context)).map((line) => `  ${line}`),
  ];
  const text = shortened(lines).join('\n');
  return text.length > mostTold ? `${text.slice(0, mostTold)}\n…` : text;
}

function compared(a: readonly string[], b: readonly string[]): readonly string[] {
  const [gone, come] = [a.map((line) => `- ${line}`), b.map((line) => `+ ${line}`)];
  if (a.length > mostCompared || b.length > mostCompared) return [...gone, ...come];
  const common = commonLengths(a, b);
  const lines: string[] = [];
  let j = 0;
  for (const [i, left] of a.entries()) {
    for (
      let right = b[j];
      right !== undefined && right !== left && common(i + 1, j) < common(i, j + 1);
      right = b[j]
    ) {
      lines.push(`+ ${right}`);
      j += 1;
    }
    const stayed = b[j] === left;
    lines.push(`${stayed ? ' ' : '-'} ${left}`);
    if (stayed) j += 1;
  }
  return [...lines, ...b.slice(j).map((line) => `+ ${line}`)];
}

/** Length of the longest common subsequence from each pair of places on. */
function commonLengths(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const lengths = new DataView(new ArrayBuffer(2 * (a.length + 1) * width));
  const at = (i: number, j: number) => lengths.getUint16(2 * (i * width + j));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const longest = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      lengths.setUint16(2 * (i * width + j), longest);
    }
  }
  return at;
}

/** Long stretches of what stayed are left out. */
function shortened(lines: readonly string[]): readonly string[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some((line) => !line.startsWith('  ')),
  );
  return lines.flatMap((line, index) => {
    if (near[index] === true) return [line];
    return near[index - 1] === true ? ['  …'] : [];
  });
}
