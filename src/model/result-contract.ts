import type { Json, JsonObject } from '../lib/json.ts';
import type { SessionSpec } from './turn.ts';

/**
 * How a turn hands over its result, and there is one way for each turn. `structured`: the CLI returns it by itself, bound to
 * a schema. `file`: the agent writes it to a path, the same for all turns of a step.
 */
export type ResultContract =
  | { readonly by: 'structured'; readonly schema: Json }
  | { readonly by: 'file'; readonly path: string };

/** The sentence about a result that is not there, in the terms in which the agent was asked for it. */
export function missingResult(contract: ResultContract): string {
  const how =
    contract.by === 'file'
      ? `it wrote nothing to ${contract.path}`
      : 'it did not return the status and summary of its work as structured output';
  return `the agent ended without the result it owes: ${how}`;
}

const questionWithOptions: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string' }, options: { type: 'array', items: { type: 'string' } } },
  required: ['text', 'options'],
  additionalProperties: false,
};

/** Tutti's own form, as strict as CLIs want it: every member is required, and no other is allowed. */
export const ownResultSchema: JsonObject = {
  type: 'object',
  properties: {
    status: {
      enum: ['success', 'failed', 'blocked', 'needs_refinement', 'needs_escalation'],
      type: 'string',
    },
    summary: { type: 'string' },
    artifacts: { type: 'array', items: { type: 'string' } },
    notes: { type: 'array', items: { type: 'string' } },
    questions: { type: 'array', items: { anyOf: [{ type: 'string' }, questionWithOptions] } },
  },
  required: ['status', 'summary', 'artifacts', 'notes', 'questions'],
  additionalProperties: false,
};

/** The schema that a result has to meet; null: the turn owes none, and its log counts instead. */
export function owedSchema({ result, handoff }: Pick<SessionSpec, 'result' | 'handoff'>): Json | null {
  return result === 'required' ? (handoff.resultSchema ?? ownResultSchema) : null;
}

/**
 * The turn as its agent gets it: with the way to hand over its result. A person's prompt stays as it is, so the way stands
 * with the agent's role; a turn that continues a conversation has it in the prompt, because the role is not said again where the
 * CLI remembers it.
 */
export function withContract(
  spec: SessionSpec,
  contract: ResultContract,
  conversation: 'remembers' | 'forgets',
): SessionSpec {
  const text = contractText(spec, contract);
  const role = spec.systemPrompt.trimEnd();
  const systemPrompt = role === '' ? text : `${role}\n\n${text}`;
  if (spec.continues === null || conversation === 'forgets') return { ...spec, systemPrompt };
  return { ...spec, systemPrompt, prompt: `${spec.prompt.trimEnd()}\n\n${text}` };
}

const form =
  '{"status": "success", "summary": "one or two sentences", "artifacts": [], "notes": [], "questions": []}';

function contractText({ result, handoff }: SessionSpec, contract: ResultContract): string {
  const own = handoff.resultSchema === null ? `\n${form}` : '';
  if (contract.by === 'structured') {
    return `## Handing over your result\n\nEnd with your result as structured output. Write no file for it.\n`;
  }
  const { path } = contract;
  const words =
    result === 'required'
      ? // The turn, not the work: gates judge files whether or not a result describes them.
        `Write your result as one JSON object to this path before you end; without it this turn counts as failed:\n${path}`
      : `If you have something to hand over, write it as one JSON object to this path:\n${path}`;
  return `## Handing over your result\n\n${words}${own}\n`;
}
