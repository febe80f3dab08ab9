import { existsSync } from 'node:fs';
import { firstFew, shownInSentence } from '../../lib/first-few.ts';
import { invalid, isStatus, readResult } from '../../drivers/result.ts';
import { validate } from '../../gates/json-schema.ts';
import { isObject, type Json, textMember } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Failure } from '../../model/failure.ts';
import { missingResult, type ResultContract } from '../../model/result-contract.ts';
import { questionsIn, withBlocker } from '../../model/schemas/agent-result.ts';
import type { AgentResult, SessionSpec } from '../../model/turn.ts';

/** What a session handed over: in Tutti's own form, or in the form that its caller asked for. */
export function readSessionResult(
  path: string,
  { result, handoff }: SessionSpec,
  contract: ResultContract,
): Result<AgentResult | null, Failure> {
  const { resultSchema } = handoff;
  const read =
    resultSchema === null
      ? readResult(path, result)
      : readResult(path, result, (json) => acceptBySchema(json, resultSchema));
  if (read.ok || read.error.reason !== 'no-result' || existsSync(path)) return read;
  return err({ ...read.error, message: missingResult(contract) });
}

/** Whether `questions` is data that the caller asked for, such as those of a quiz, and no question to a person. */
function declaresQuestions(schema: Json): boolean {
  const members = isObject(schema) ? schema['properties'] : null;
  return isObject(members) && Object.hasOwn(members, 'questions');
}

/** The caller's schema decides, and a status counts as well: an agent that says it failed has failed. */
function acceptBySchema(json: Json, schema: Json): Result<AgentResult, Failure> {
  const errors = validate(schema, json);
  if (errors.length > 0)
    return invalid(`it is not what the schema says: ${firstFew(errors, shownInSentence, '; ')}`);
  const status = textMember(json, 'status');
  const account = {
    status: isStatus(status) ? status : 'success',
    summary: textMember(json, 'summary'),
  } as const;
  return ok({
    ...account,
    artifacts: [],
    notes: isObject(json) && Array.isArray(json['notes']) ? json['notes'] : [],
    questions: declaresQuestions(schema) ? [] : withBlocker(account, questionsIn(json)),
    usage: null,
  });
}
