import { LineCounter, type Document, isMap, isNode, isScalar, parseDocument } from 'yaml';
import type * as z from 'zod';
import { err, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { codeFrame } from './code-frame.ts';
import { check, type Issue, issueSentence } from './issue.ts';
import { type Problem, problemOf } from './problem.ts';

/** A parsed YAML or JSON file that still knows where everything stands. */
export interface YamlDocument {
  /** Plain data; null for an empty file. */
  readonly value: unknown;
  problemAt(issue: Issue): Problem;
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
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
    // A warning is a tag nobody knows: the author meant something that will not happen.
    const mistakes = [...document.errors, ...document.warnings];
    if (mistakes.length > 0) return err(mistakes.map(({ pos, message }) => problem(pos[0], oneLine(message))));
    return ok({
      value: document.toJS() as unknown,
      problemAt: (issue) => problem(offsetOf(document, issue), issueSentence(issue)),
    });
  } catch (error) {
    // The parser throws on what it cannot hold: aliases that multiply without end, nesting deeper than the stack.
    const why = error instanceof RangeError ? 'it is nested too deeply' : oneLine(String(error));
    return err([problemOf(file, `cannot be read as YAML: ${why}`)]);
  }
}

/** Where the value stands, or the nearest thing around it that exists. */
function offsetOf(document: Document, issue: Issue): number {
  for (let length = issue.path.length; length > 0; length -= 1) {
    const node = document.getIn(issue.path.slice(0, length), true);
    if (isNode(node)) return memberOffset(node, issue.member) ?? startOf(node);
  }
  return memberOffset(document.contents, issue.member) ?? startOf(document.contents);
}

function memberOffset(node: unknown, member: string | null): number | null {
  if (member === null || !isMap(node)) return null;
  const key = node.items.map((pair) => pair.key).find((each) => isScalar(each) && String(each.value) === member);
  return key === undefined ? null : startOf(key);
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
