import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { appendText, makePrivateFolder } from '../../lib/atomic-file.ts';
import { isoWeek } from '../../lib/iso-week.ts';
import { readText } from '../../lib/read-text.ts';
import { logLines } from '../host/log-file.ts';

/** A line of a log, with its newline. */
export interface DatedLine {
  readonly at: number;
  readonly text: string;
}

export const logName = 'orchestrator.log';
/** Besides the week that is being written. */
export const weeksKept = 4;
const rotated = /^orchestrator\.log\.\d{4}-W\d{2}$/;
const maxBytes = 256 * 1024 ** 2;

/**
 * Adds lines to the log of the week; a log of an earlier week is put aside under its name first. Two processes must not do
 * this at the same time: the caller sees to that.
 */
export function appendWeekly(folder: string, lines: readonly DatedLine[]): void {
  makePrivateFolder(folder);
  for (const { week, text } of byWeek(lines)) {
    rotateBefore(folder, week);
    appendText(join(folder, logName), text);
  }
}

/** Neighbours of one week together. */
export function byWeek(
  lines: readonly DatedLine[],
): readonly { readonly week: string; readonly text: string }[] {
  const groups: { week: string; text: string }[] = [];
  for (const { at, text } of lines) {
    const week = isoWeek(at);
    const last = groups.at(-1);
    if (last?.week === week) last.text += text;
    else groups.push({ week, text });
  }
  return groups;
}

function rotateBefore(folder: string, week: string): void {
  const path = join(folder, logName);
  const written = weekOf(path);
  // A line that comes late is no reason to put the newer ones aside.
  if (written === null || written >= week) return;
  const target = `${path}.${written}`;
  if (lstatSync(target, { throwIfNoEntry: false })?.isFile() === true) {
    // The clock went back, or the log was written again: nothing that is there is overwritten.
    const text = readText(path, { maxBytes, links: 'refuse' });
    if (!text.ok) return;
    appendText(target, text.value);
    rmSync(path);
  } else renameSync(path, target);
  forgetOld(folder);
}

/** The week of its first line, or of its last change if that cannot be read; null when there is none. */
function weekOf(path: string): string | null {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return null;
  const [first = ''] = logLines(path);
  const [, instant = ''] = /^\[([^\]]+)\]/.exec(first) ?? [];
  const at = Date.parse(instant);
  return isoWeek(Number.isNaN(at) ? facts.mtimeMs : at);
}

export function forgetOld(folder: string): void {
  const names = readdirSync(folder)
    .filter((name) => rotated.test(name))
    .toSorted();
  for (const name of names.slice(0, -weeksKept)) rmSync(join(folder, name), { force: true });
}
