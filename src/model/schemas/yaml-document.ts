import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type * as z from 'zod';
import { err, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { codeFrame } from './code-frame.ts';
import { check, type Issue, issueSentence } from './issue.ts';
import { type Problem, problemOf } from './problem.ts';

/** One slip of the pen makes the parser stumble many times. */
const shownMistakes = 3;

/** A parsed YAML or JSON file that still knows where everything stands. */
export interface YamlDocument {
  /** Plain data; null for an empty file. */
  readonly value: unknown;
  readonly problemAt: (issue: Issue) => Problem;
}

/** Reads a file's text into a form; every mistake comes with its line. */
export function readForm<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  file: string,
): Result<z.output<Schema>, readonly Problem[]> {
  const document = parseYaml(text, file);
  if (!document.ok) return document;
  const checked = check(schema, document.value.value);
  return checked.ok ? checked : err(checked.error.map((issue) => document.value.problemAt(issue)));
}

export function parseYaml(text: string, file: string): Result<YamlDocument, readonly Problem[]> {
  const lines = new LineCounter();
  const problem = (offset: number, message: string): Problem => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, message, frame: codeFrame(text, line, col) };
  };
  try {
    const options = { lineCounter: lines, prettyErrors: false, stringKeys: true, version: '1.2' } as const;
    const document = parseDocument(text, options);
    // A warning is a tag nobody knows: the author meant something that will not happen.
    const mistakes = [...document.errors, ...document.warnings]
      .map(({ pos, message }) => problem(pos[0], inWords(message)))
      .slice(0, shownMistakes);
    // The parser loses its way in what is too deep: its other complaints are about that.
    const deep = mistakes.find(({ message }) => message === tooDeep);
    if (mistakes.length > 0) return err(deep === undefined ? mistakes : [deep]);
    const lost = lostAlias(document);
    if (lost !== null) return err([problem(lost, 'this alias has no anchor before it')]);
    return ok({
      value: document.toJS() as unknown,
      problemAt: (issue) => problem(offsetOf(document, issue), issueSentence(issue)),
    });
  } catch (error) {
    // The parser throws on what it cannot hold: aliases that multiply without end, nesting deeper than the stack.
    return err([problemOf(file, `cannot be read as YAML: ${inWords(String(error))}`)]);
  }
}

const tooDeep = 'nested too deeply';

function inWords(message: string): string {
  return /call stack|stack overflow/i.test(message) ? tooDeep : oneLine(message);
}

/** Where an alias stands that refers to nothing; the parser itself would only throw. */
function lostAlias(document: Document): number | null {
  let lost: number | null = null;
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return undefined;
      lost = startOf(alias);
      return visit.BREAK;
    },
  });
  return lost;
}

/** Where the value stands, or the nearest thing around it that exists. */
function offsetOf(document: Document, issue: Issue): number {
  for (let length = issue.path.length; length > 0; length -= 1) {
    const node = document.getIn(issue.path.slice(0, length), true);
    if (isNode(node)) return memberOffset(node, issue.member) ?? startOf(node);
  }
  return memberOffset(document.contents, issue.member) ?? startOf(document.contents);
}

function memberOffset(node: unknown, member: string | undefined): number | undefined {
  if (member === undefined || !isMap(node)) return undefined;
  const keys = node.items
    .map(({ key }) => key)
    .filter((key) => isScalar(key) && String(key.value) === member);
  return keys.map(startOf)[0];
}

function startOf(node: unknown): number {
  return isNode(node) && Array.isArray(node.range) ? node.range[0] : 0;
}
