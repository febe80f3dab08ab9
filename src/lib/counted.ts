/** `1 task`, `3 tasks`: a number with its noun; `plural` where the noun does not take an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
