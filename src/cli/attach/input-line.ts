import { terminalText } from '../../lib/terminal-text.ts';
import type { Key } from '../context.ts';
import { displayWidth } from '../render/width.ts';

/** What a person has typed so far, around the cursor. */
export interface InputLine {
  readonly before: string;
  readonly after: string;
  /** In a paste Enter is a newline like any other, and sends nothing. */
  readonly pasting: boolean;
}

export const emptyLine: InputLine = { before: '', after: '', pasting: false };

/** What a key does. */
export type Pressed =
  | { readonly at: 'edited'; readonly line: InputLine }
  | { readonly at: 'sent'; readonly text: string }
  | { readonly at: 'left'; readonly by: 'Ctrl-C' | 'Ctrl-D' };

/** A message is typed or pasted by somebody; more than this is a file. */
const longest = 64 * 1024;

export function press(line: InputLine, key: Key): Pressed {
  const { before, after, pasting } = line;
  const edited = (change: Partial<InputLine>): Pressed => ({ at: 'edited', line: { ...line, ...change } });
  if (key.name === 'paste-start') return edited({ pasting: true });
  if (key.name === 'paste-end') return edited({ pasting: false });
  if (key.ctrl === true) return withControl(line, key.name ?? '', edited);
  switch (key.name ?? '') {
    case 'return':
    case 'enter':
      if (pasting) return edited({ before: `${before}\n` });
      return `${before}${after}`.trim() === '' ? edited({}) : { at: 'sent', text: `${before}${after}` };
    case 'backspace':
      return edited({ before: withoutLast(before) });
    case 'delete':
      return edited({ after: withoutFirst(after) });
    case 'left': {
      const rest = withoutLast(before);
      return edited({ before: rest, after: `${before.slice(rest.length)}${after}` });
    }
    case 'right': {
      const rest = withoutFirst(after);
      return edited({ before: `${before}${after.slice(0, after.length - rest.length)}`, after: rest });
    }
    case 'home':
      return edited({ before: '', after: `${before}${after}` });
    case 'end':
      return edited({ before: `${before}${after}`, after: '' });
    default:
      return edited({ before: `${before}${typedBy(key)}`.slice(0, longest - after.length) });
  }
}

function withControl(
  { before, after }: InputLine,
  name: string,
  edited: (change: Partial<InputLine>) => Pressed,
): Pressed {
  switch (name) {
    case 'c':
      return { at: 'left', by: 'Ctrl-C' };
    case 'd':
      return before === '' && after === ''
        ? { at: 'left', by: 'Ctrl-D' }
        : edited({ after: withoutFirst(after) });
    case 'a':
      return edited({ before: '', after: `${before}${after}` });
    case 'e':
      return edited({ before: `${before}${after}`, after: '' });
    case 'u':
      return edited({ before: '' });
    case 'k':
      return edited({ after: '' });
    case 'w':
      return edited({ before: before.replace(/\S*\s*$/, '') });
    default:
      return edited({});
  }
}

/** Keys that type nothing have no text, and what they send is nothing to send on. */
function typedBy({ sequence = '', meta }: Key): string {
  return meta === true || sequence.startsWith('\u001B') ? '' : terminalText(sequence);
}

/** What a person takes for one character may be several. */
const characters = new Intl.Segmenter();

function withoutLast(text: string): string {
  const last = [...characters.segment(text.slice(-64))].at(-1)?.segment ?? '';
  return text.slice(0, text.length - last.length);
}

function withoutFirst(text: string): string {
  const [first] = characters.segment(text.slice(0, 64));
  return text.slice(first?.segment.length ?? 0);
}

/** The part of a line around the cursor that fits, and where the cursor stands in it. */
export function shownLine(
  line: InputLine,
  cells: number,
): { readonly text: string; readonly cursor: number } {
  const before = Array.from(shown(line.before));
  let [left, width] = ['', 0];
  for (const character of before.toReversed()) {
    width += displayWidth(character);
    if (width > cells - 1) break;
    left = `${character}${left}`;
  }
  const cursor = displayWidth(left);
  let text = left;
  for (const character of shown(line.after)) {
    if (displayWidth(text) + displayWidth(character) > cells) break;
    text += character;
  }
  return { text, cursor };
}

function shown(text: string): string {
  return terminalText(text).replaceAll('\n', '⏎').replaceAll('\t', ' ');
}
