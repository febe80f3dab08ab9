import { err, ok, type Result } from '../../lib/result.ts';
import type { Definition } from '../../model/compose/definition.ts';
import type { ComposeLayer } from '../../model/compose/layer.ts';
import { type LintIssue, memberIssue } from '../../model/compose/lint-rules.ts';
import { findSkippedLayers } from '../../model/compose/skipped-layer.ts';
import type { Layer } from '../../model/propagation.ts';
import { codeFrame } from '../../model/schemas/code-frame.ts';
import {
  buildCampaign,
  buildPhases,
  buildStages,
  campaignForm,
  coordinatorForm,
  orchestratorForm,
} from '../../model/schemas/compose-configuration.ts';
import {
  buildExecutor,
  buildPromptedLayer,
  executorForm,
  executorFrontMatterForm,
  layerFrontMatterForm,
} from '../../model/schemas/compose-executor.ts';
import { check, type Issue } from '../../model/schemas/issue.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';
import { parseYaml, type YamlDocument } from '../../model/schemas/yaml-document.ts';
import { splitFrontMatter } from '../agents/front-matter.ts';
import { type Finding, fileFinding, findingAt } from './finding.ts';

/** The text of a definition, and what it is called. */
export interface DefinitionText {
  readonly layer: ComposeLayer;
  readonly name: string;
  /** As people know it: its path, or `built-in`. */
  readonly source: string;
  /** A system prompt in Markdown, or a configuration in YAML or JSON. */
  readonly kind: 'prompt' | 'configuration';
  readonly text: string;
  /** Reads a prompt that the configuration names; an error is a sentence. */
  readonly readPrompt: (path: string) => Result<string, string>;
}

/** A well-formed definition that still knows where everything stands. */
export interface ReadDefinition {
  readonly definition: Definition;
  readonly locate: (issue: LintIssue) => Finding;
}

type Read = Result<ReadDefinition, readonly Finding[]>;

/** Reads the text of one definition. Whether the names in it exist is for the lint to say. */
export function readDefinition(source: DefinitionText): Read {
  if (source.kind === 'prompt') return readPromptFile(source);
  const document = parseYaml(source.text, source.source);
  if (!document.ok) return err(document.error.map((problem) => findingAt('form', problem)));
  return source.layer === 'executor'
    ? readExecutor(source, document.value)
    : readLayer(source, source.layer, document.value);
}

function readPromptFile(source: DefinitionText): Read {
  const { layer, name, text } = source;
  const parts = splitFrontMatter(text);
  const unclosed = 'the front matter that opens with "---" is never closed';
  if (parts === null) return err([fileFinding('form', source.source, unclosed)]);
  const { body } = parts;
  if (body.includes('\0'))
    return err([fileFinding('form', source.source, 'the system prompt may not contain NUL')]);
  const document = parseYaml(parts.frontMatter, source.source);
  if (!document.ok) return err(document.error.map((problem) => findingAt('form', problem)));
  const value = document.value.value ?? {};
  const place: PromptPlace = { source: source.source, text, firstLine: countLines(text, body) };
  const locate = locator(document.value, place);
  const misnamed = (declared: string | undefined): readonly Finding[] =>
    declared === undefined || declared === name
      ? []
      : [locate(memberIssue('file-name', ['name'], `must be '${name}', the name of the file`))];
  if (layer === 'executor') {
    const form = check(executorFrontMatterForm, value);
    if (!form.ok) return refuseForm(document.value, form.error);
    const wrong = misnamed(form.value.name);
    return wrong.length > 0
      ? err(wrong)
      : ok({ definition: buildExecutor(form.value, source, body), locate });
  }
  const form = check(layerFrontMatterForm, value);
  if (!form.ok) return refuseForm(document.value, form.error);
  const wrong = misnamed(form.value.name);
  if (wrong.length > 0) return err(wrong);
  const work = buildPromptedLayer(form.value, source, body);
  return ok({ definition: { layer, ...describeHead(source, form.value.description), work }, locate });
}

function readExecutor(source: DefinitionText, document: YamlDocument): Read {
  const form = check(executorForm, document.value);
  if (!form.ok) return refuseForm(document, form.error);
  const { system_prompt: inline, system_prompt_file: file = '' } = form.value;
  const prompt = inline === undefined ? source.readPrompt(file) : ok(inline);
  if (!prompt.ok) {
    const problem = document.problemAt({
      path: ['system_prompt_file'],
      member: undefined,
      message: prompt.error,
    });
    return err([findingAt('unreadable', problem)]);
  }
  const place: PromptPlace | 'member' =
    inline === undefined
      ? { source: `${source.source.replace(/[^/]*$/, '')}${file}`, text: prompt.value, firstLine: 0 }
      : 'member';
  return ok({
    definition: buildExecutor(form.value, source, prompt.value),
    locate: locator(document, place),
  });
}

function readLayer(source: DefinitionText, layer: Layer, document: YamlDocument): Read {
  const locate = locator(document, 'member');
  const skipped = findSkippedLayers(layer, document.value);
  if (skipped.length > 0) return err(skipped.map(locate));
  switch (layer) {
    case 'orchestrator': {
      const form = check(orchestratorForm, document.value);
      if (!form.ok) return refuseForm(document, form.error);
      const head = describeHead(source, form.value.description);
      return ok({ definition: { layer, ...head, work: buildStages(form.value) }, locate });
    }
    case 'coordinator': {
      const form = check(coordinatorForm, document.value);
      if (!form.ok) return refuseForm(document, form.error);
      const head = describeHead(source, form.value.description);
      return ok({ definition: { layer, ...head, work: buildPhases(form.value) }, locate });
    }
    case 'campaign': {
      const form = check(campaignForm, document.value);
      if (!form.ok) return refuseForm(document, form.error);
      const head = describeHead(source, form.value.description);
      return ok({ definition: { layer, ...head, work: buildCampaign(form.value) }, locate });
    }
  }
}

function describeHead({ name, source }: DefinitionText, description: string | undefined) {
  return { name, source, description: description ?? '' };
}

function refuseForm(document: YamlDocument, issues: readonly Issue[]) {
  return err(issues.map((issue) => findingAt('form', document.problemAt(issue))));
}

/** The file that holds a system prompt, and the number of lines before its first one. */
interface PromptPlace {
  readonly source: string;
  readonly text: string;
  readonly firstLine: number;
}

/** `member`: the prompt is a member of the configuration. */
function locator(document: YamlDocument, prompt: PromptPlace | 'member'): ReadDefinition['locate'] {
  const atMember = (path: readonly (string | number)[], message: string): Problem =>
    document.problemAt({ path, member: undefined, message });
  return ({ rule, place, message }) => {
    if (place.at === 'member') return findingAt(rule, atFirstLine(atMember(place.path, message)));
    if (prompt === 'member') return findingAt(rule, atMember(['system_prompt'], message));
    const line = prompt.firstLine + place.line;
    const frame = codeFrame(prompt.text, line, 1);
    return findingAt(rule, { ...problemOf(prompt.source, message), line, column: 1, frame });
  };
}

/** Text without front matter has no lines of its own: what concerns all of it is reported in the first line of the file. */
function atFirstLine(problem: Problem): Problem {
  return problem.line === 0 ? { ...problem, line: 1, column: 1, frame: null } : problem;
}

function countLines(text: string, body: string): number {
  return text.slice(0, text.length - body.length).split('\n').length - 1;
}
