import * as z from 'zod';
import type { Json } from '../../lib/json.ts';
import { type CodexDriver, codexSandboxes } from '../codex.ts';
import { oneOf, present, text, wanted } from './basic-shapes.ts';

const setting: z.ZodType<Json> = z.lazy(() =>
  z.union(
    [text(), z.number(), z.boolean(), z.array(setting), z.record(text(), setting)],
    wanted('a text, a number, true or false, a list or a mapping'),
  ),
);

const key = text().regex(/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/);

/** What a driver of type `codex` knows besides its program and its models. */
export const codexMembers = {
  sandbox: oneOf(codexSandboxes).optional(),
  config: z.record(key, setting, wanted('a mapping of settings by names with dots between them')).optional(),
};

type CodexForm = z.output<z.ZodObject<typeof codexMembers>>;
type Shared = Pick<CodexDriver, 'program' | 'models'>;

export function codexConfigOf({ sandbox, config }: CodexForm, shared: Shared): CodexDriver {
  return { type: 'codex', ...shared, config: config ?? {}, ...present({ sandbox }) };
}
