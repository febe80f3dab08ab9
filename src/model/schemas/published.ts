import * as z from 'zod';
import { agentResultForm } from './agent-result.ts';
import { cassetteForm } from './cassette.ts';
import { configForm } from './config.ts';
import { flowForm } from './flow.ts';

/** The JSON Schemas that ship in `schemas/`, by file name: editors check and complete with them. */
export function publishedSchemas(): Readonly<Record<string, object>> {
  return {
    'tutti.schema.json': published('tutti.yaml: the configuration of a project or a person', configForm),
    'flow.schema.json': published('A flow file: a graph of steps for `tutti run`', flowForm),
    'cassette.schema.json': published('A cassette: the turns that the replay driver plays', cassetteForm),
    'result.schema.json': published("result.json: an agent's account of its turn", agentResultForm),
  };
}

function published(title: string, form: z.ZodType): object {
  return { title, ...z.toJSONSchema(form, { io: 'input', target: 'draft-2020-12' }) };
}
