import { formatDuration } from '../../lib/duration.ts';
import { isList, isObject, textMember } from '../../lib/json.ts';
import { tellingLines } from '../../lib/telling-lines.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { isNumbered, type OpenQuestion, type Question } from '../../model/question.ts';
import { stepIdOf } from '../../model/key.ts';
import type { Paint } from './style.ts';
import { fit, wrap } from './width.ts';
import { glyphs } from '../../lib/glyphs.ts';

export interface QuestionParams {
  readonly now: number;
  readonly columns: number;
  readonly paint: Paint;
  /** Name the run, where questions of several stand together. */
  readonly withRun: boolean;
  /** The terminal is taken by the run that is shown: what is typed there answers nothing. */
  readonly elsewhere?: boolean;
}

/** What a person types to answer; the first option stands for all. */
export function answerCommand({ id, question: { options = [] } }: OpenQuestion): string {
  const [first] = options;
  return `tutti answer ${id} ${first === undefined ? 'TEXT' : isNumbered(options) ? '1' : shellWord(first)}`;
}

function optionLines(options: readonly string[]): readonly string[] {
  const numbered = isNumbered(options);
  return options.map((option, index) => `     ${numbered ? `${index + 1})` : '-'} ${oneLine(option)}`);
}

/** What is asked, by whom, since when, the options, and the command that answers. */
export function questionLines(
  open: OpenQuestion,
  { now, columns, paint, withRun, elsewhere = false }: QuestionParams,
): string[] {
  const { id, question, askedAt, asker } = open;
  const step = oneLine(question.step ?? stepIdOf(open.key), 80);
  const place = withRun ? `${open.runId}, ${step}` : step;
  const head = `${id}  ${place}  (${formatDuration(now - askedAt)} ago${leftOf(question, now)})`;
  const options = optionLines(question.options ?? []);
  return [
    `${paint('waiting', glyphs.waiting)} ${fit(head, columns - 2)}`,
    ...(asker === null
      ? wrap(oneLine(question.text, 2000), columns, 5)
      : requestLines(question, asker.session, columns)),
    ...outputLines(question).map((line) => paint('quiet', fit(`     ${line}`, columns))),
    ...options.map((option) => fit(option, columns)),
    // An agent takes any words; Tutti decides by one of its options.
    ...(options.length > 0 && asker === null && question.closed === undefined
      ? [fit('     or an answer in your own words', columns)]
      : []),
    paint('strong', fit(`     ${elsewhere ? 'in another terminal: ' : ''}${answerCommand(open)}`, columns)),
  ];
}

/** Lines of a command's output that are shown with a question; all of it is in the log. */
const maxLines = 8;

/** What commands printed that the question is about, each under its command: the lines that say what went wrong, and the log. */
function outputLines({ evidence = null }: Question): readonly string[] {
  const ends = isObject(evidence) ? (evidence['ends'] ?? null) : null;
  if (!isList(ends)) return [];
  return ends.flatMap((end) => {
    const output = textMember(end, 'output');
    const lines = tellingLines(output, maxLines).map((line) => `  ${oneLine(line, 500)}`);
    const log = textMember(end, 'log');
    const shown = [...lines, ...(log === '' ? [] : [`  log: ${oneLine(log, 500)}`])];
    return shown.length === 0 ? [] : [`$ ${oneLine(textMember(end, 'command'), 200)}`, ...shown];
  });
}

/** What is permitted must be seen whole, with what it is to be done with. */
function requestLines(question: Question, session: string, columns: number): string[] {
  const told = [question.text, inputOf(question)].flatMap((text) => wrap(oneLine(text, 4200), columns, 5));
  return [fit(`     ${oneLine(question.agent ?? '', 80)} in session ${session} asks`, columns), ...told];
}

function leftOf({ until }: Question, now: number): string {
  return until === undefined ? '' : `, ${formatDuration(Math.max(0, until - now))} left`;
}

/** What a tool is to be given, where that is known. */
function inputOf({ evidence }: Question): string {
  return evidence === undefined ? '' : textMember(evidence, 'input');
}

/** The command comes first: where there is no room, the question is in the inbox, the command is not. */
export function briefly(open: OpenQuestion): string {
  return `${answerCommand(open)}: ${oneLine(open.question.text, 500)}`;
}
