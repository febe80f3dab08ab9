import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { renderMarkdown } from './plain-markdown.ts';
import { readTopic, topicNames } from './topics.ts';
import { printJson, printLines } from '../print.ts';
import { painter } from '../render/style.ts';

/** Prints a page of the documentation that came with the program. */
export function printTopic(context: Context, topic: string, json: boolean): Outcome {
  const text = readTopic(topic);
  if (json) {
    printJson(context, { topic, text });
    return 'SUCCESS';
  }
  const { screen } = context;
  const columns = screen.isTerminal ? screen.columns() : 100;
  const lines = renderMarkdown(text, { columns, paint: painter(screen.colour), topics: topicNames() });
  printLines(context, lines.slice(0, -1));
  return 'SUCCESS';
}
