import type { Layer } from '../propagation.ts';
import { composeLayers, type ComposeLayer, layerBelow } from './layer.ts';
import { type LintIssue, promptIssue } from './lint-rules.ts';

/** Rules for texts: a system prompt says who the agent is and how it works, arguments say what to do. */

const role = /\b(?:you are|you're|act as|behave as|assume the role of) (?:an?|the|my|our)\b/i;

/** Whether a text tells an agent who it is. */
export function definesRole(text: string): boolean {
  return role.test(text);
}

const arrow = /\w\s*(?:->|→|=>)\s*\w/;
const ordersStages = /\b(?:run|skip|start with|repeat|retry|begin with|omit)\b[^.\n]*\bstages?\b/i;
const sequence = /\b(?:then|after|before|followed by|first|next|finally)\b/i;

/** Longer arguments and tokens are hostile, and would make the search slow. */
const longestArgument = 10_000;
const longestPath = 300;

/** Whether a text tells an orchestrator in which order to run its stages. */
export function ordersStageSequence(argument: string, stages: readonly string[]): boolean {
  const text = argument.slice(0, longestArgument);
  if (arrow.test(text) || ordersStages.test(text)) return true;
  const words = new Set(text.toLowerCase().split(/[^a-z0-9_-]+/));
  const named = stages.filter((stage) => words.has(stage.toLowerCase()));
  return named.length >= 2 && sequence.test(text);
}

/** The first path in a line that names a specific file or folder; null: there is none. */
export function findSpecificPath(line: string): string | null {
  const tokens = line.split(/[\s`"'()[\],;|]+/).map((token) => token.replace(/[.:!?]+$/, ''));
  return tokens.find(isSpecificPath) ?? null;
}

function isSpecificPath(token: string): boolean {
  if (!token.includes('/') || token.length > longestPath) return false;
  if (/[<>{}*$…]|:\/\//.test(token)) return false;
  if (/^(?:~|\.{1,2})\/[\w.-]/.test(token)) return true;
  if (/^\/[\w.-]+\/[\w.-]/.test(token)) return true;
  return (
    /^[\w.-]+(?:\/[\w.-]+)*\/[\w-]*[\w-]\.[a-z][a-z0-9]{0,7}$/i.test(token) ||
    /^(?:src|lib|test|tests|docs|app|packages|scripts)\/[\w.-]/.test(token)
  );
}

const denial = /\b(?:never|not|no|don't|cannot|without|instead of)\b/i;

/** Lines of a prompt that ask for something, with their number from 1; lines that forbid it are left out. */
function listRequests(prompt: string, asks: RegExp): readonly number[] {
  return prompt.split('\n').flatMap((line, at) => (asks.test(line) && !denial.test(line) ? [at + 1] : []));
}

/** Names of definitions that a prompt calls: `tutti orchestrator NAME`. */
export function listCalls(prompt: string, layer: ComposeLayer): readonly string[] {
  const calls = prompt.matchAll(new RegExp(`\\btutti ${layer} ([A-Za-z0-9][A-Za-z0-9_-]*)`, 'g'));
  return [...new Set([...calls].map(([, name = '']) => name))];
}

/** What holds for the system prompt of every layer. */
export function lintSystemPrompt(prompt: string): readonly LintIssue[] {
  if (prompt.trim() === '') return [promptIssue('empty-system-prompt', 1, 'the system prompt has no text')];
  const paths = prompt.split('\n').flatMap((line, at) => {
    const path = findSpecificPath(line);
    if (path === null) return [];
    const message = `the system prompt names the path ${path}: pass it as an argument`;
    return [promptIssue('path-in-system-prompt', at + 1, message)];
  });
  if (definesRole(prompt)) return paths;
  const message = 'the system prompt does not say who the agent is: begin with "You are a …"';
  return [...paths, promptIssue('no-role', 1, message)];
}

export function lintExecutorPrompt(prompt: string): readonly LintIssue[] {
  const calls = listRequests(prompt, new RegExp(`\\btutti (?:spawn|${composeLayers.join('|')})\\b`));
  return calls.map((line) =>
    promptIssue('executor-delegates', line, 'an executor does the work itself and calls no other layer'),
  );
}

/** What holds for the system prompt of a layer whose only tool is the layer below. */
export function lintLayerPrompt(layer: Layer, prompt: string): readonly LintIssue[] {
  const below = layerBelow(layer);
  const others = composeLayers.filter((each) => each !== below);
  const spawns = listRequests(prompt, /\btutti (?:spawn|session create)\b|--system-prompt\b/);
  const skips = listRequests(prompt, new RegExp(`\\btutti (?:${others.join('|')})\\b`));
  const starts = `${nameWithArticle(layer)} starts no sessions: call \`tutti ${below}\`, or make it an executor`;
  return [
    ...spawns.map((line) => promptIssue('wraps-spawn', line, starts)),
    ...skips.map((line) =>
      promptIssue('skipped-layer', line, `${nameWithArticle(layer)} calls only \`tutti ${below}\``),
    ),
    ...(prompt.trim() === '' || prompt.includes(`tutti ${below}`)
      ? []
      : [promptIssue('no-call-below', 1, `the system prompt never names the command \`tutti ${below}\``)]),
  ];
}

/** `an executor`, `a campaign`. */
export function nameWithArticle(layer: ComposeLayer): string {
  return `${/^[aeiou]/.test(layer) ? 'an' : 'a'} ${layer}`;
}
