import { styleText } from 'node:util';

/** What a piece of text means; the colour follows. */
export type Tone = 'plain' | 'good' | 'bad' | 'busy' | 'waiting' | 'quiet' | 'strong';

const formats = {
  good: 'green',
  bad: 'red',
  busy: 'cyan',
  waiting: 'yellow',
  quiet: 'gray',
  strong: 'bold',
} as const;

export type Paint = (tone: Tone, text: string) => string;

export function painter(colour: boolean): Paint {
  return (tone, text) =>
    colour && tone !== 'plain' ? styleText(formats[tone], text, { validateStream: false }) : text;
}
