import { basename, dirname, extname, resolve } from 'node:path';
import { slug } from '../../lib/ids.ts';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Flow } from '../../model/flow.ts';
import { check } from '../../model/schemas/issue.ts';
import { flowForm, flowOf, type PromptForm } from '../../model/schemas/flow.ts';
import { filledText } from '../../model/schemas/basic-shapes.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';
import { parseYaml, type YamlDocument } from '../../model/schemas/yaml-document.ts';

const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a flow file, and the prompts it names. Whether the graph makes sense (ids twice, unknown needs, cycles) is
 * for the planner to say.
 */
export function loadFlow(path: string): Result<Flow, readonly Problem[]> {
  const outline = outlineFlow(path);
  if (!outline.ok) return outline;
  const { flow, problems } = outline.value;
  return problems.length > 0 ? err(problems) : ok(flow);
}

/** What a flow file says, also where a prompt that it names cannot be read. */
export interface FlowOutline {
  /** A prompt that cannot be read is empty. */
  readonly flow: Flow;
  /** The files that hold prompts, by the step that names them, whether or not they exist. */
  readonly promptFiles: ReadonlyMap<string, string>;
  /** One for each prompt that cannot be read. */
  readonly problems: readonly Problem[];
}

export function outlineFlow(path: string): Result<FlowOutline, readonly Problem[]> {
  const source = readText(path, { maxBytes, links: 'follow' });
  if (!source.ok) return err([problemOf(path, source.error.message)]);
  const document = parseYaml(source.value, path);
  if (!document.ok) return document;
  const form = check(flowForm, document.value.value);
  if (!form.ok) return err(form.error.map((issue) => document.value.problemAt(issue)));

  const texts = new Map<PromptForm, string>();
  const promptFiles = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [index, { id, work }] of form.value.steps.entries()) {
    if (work.kind !== 'agent') continue;
    if ('file' in work.prompt) promptFiles.set(id, resolve(dirname(path), work.prompt.file));
    const text = textOf(work.prompt, dirname(path));
    if (text.ok) texts.set(work.prompt, text.value);
    else problems.push(promptProblem(document.value, index, text.error));
  }
  const fallbackName = slug(basename(path, extname(path)));
  const flow = flowOf(form.value, fallbackName, (prompt) => texts.get(prompt) ?? '');
  return ok({ flow, promptFiles, problems });
}

function textOf(prompt: PromptForm, folder: string): Result<string, string> {
  if ('text' in prompt) return ok(prompt.text);
  const path = resolve(folder, prompt.file);
  const text = readText(path, { maxBytes, links: 'follow' });
  if (!text.ok) return err(`${path} ${text.error.message}`);
  const sound = check(filledText(), text.value);
  return sound.ok ? text : err(`${path} ${sound.error.map(({ message }) => message).join(', ')}`);
}

function promptProblem(document: YamlDocument, index: number, message: string): Problem {
  return document.problemAt({ path: ['steps', index, 'prompt_file'], member: undefined, message });
}
