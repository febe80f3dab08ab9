import { digest } from '../lib/digest.ts';
import { isObject, type Json, textMember } from '../lib/json.ts';
import { toolKinds } from './acp.ts';
import type { Question } from './question.ts';

/** What a person may say. The last two only where the agent offers to remember it. */
export const permissionAnswers = ['allow', 'deny', 'always', 'never'] as const;
export type PermissionAnswer = (typeof permissionAnswers)[number];

/** A tool that an agent at work may use only if a person says so. */
export interface PermissionRequest {
  /** Counted by its session, from 1. */
  readonly number: number;
  readonly tool: string;
  readonly target: string;
  /** What the tool is given, as JSON; empty where the agent does not tell. */
  readonly input: string;
  readonly options: readonly PermissionAnswer[];
}

/** An answer as it is said to the session: `allow 3`, perhaps with the mark of what was shown to the person. */
export interface GivenAnswer {
  readonly answer: PermissionAnswer;
  readonly number: number;
  readonly mark: string | null;
}

const line = /^(allow|deny|always|never) (\d{1,6})(?: ([0-9a-f]{16}))?$/;

/** Null for what is no answer. */
export function givenAnswer(text: string): GivenAnswer | null {
  const [, word = '', number, mark = null] = line.exec(text.trim()) ?? [];
  const answer = permissionAnswerOf(word);
  return answer === null ? null : { answer, number: Number(number), mark };
}

export function answerText({ answer, number, mark }: GivenAnswer): string {
  return mark === null ? `${answer} ${number}` : `${answer} ${number} ${mark}`;
}

export function permissionAnswerOf(text: Json | undefined): PermissionAnswer | null {
  return permissionAnswers.find((known) => known === text) ?? null;
}

export function isPermitted(answer: PermissionAnswer): boolean {
  return answer === 'allow' || answer === 'always';
}

/**
 * An answer is for what was shown. Others can write into a session's log, its agent among them, and could show a person
 * something harmless under the number of something else.
 */
export function markOf({ tool, target, input }: PermissionRequest): string {
  return digest([tool, target, input]);
}

/** Null for what is none. */
export function permissionRequestOf(value: Json | undefined): PermissionRequest | null {
  if (!isObject(value)) return null;
  const { number: told, options } = value;
  const number = requestNumberOf(told);
  if (number === null) return null;
  const offered = Array.isArray(options) ? options.map(permissionAnswerOf) : [];
  return {
    number,
    tool: textMember(value, 'tool'),
    target: textMember(value, 'target'),
    input: textMember(value, 'input'),
    options: permissionAnswers.filter((known) => offered.includes(known)),
  };
}

export function requestNumberOf(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** Who asks, and until when an answer is of use. */
export interface PermissionAsker {
  readonly agent: string;
  readonly step: string;
  readonly until: number;
}

/** As it stands in the inbox. */
export function permissionQuestion(request: PermissionRequest, asker: PermissionAsker): Question {
  const { tool, target, input, options } = request;
  return {
    text: permissionText(request),
    options,
    evidence: { tool, target, input, mark: markOf(request) },
    ...asker,
  };
}

export function permissionText({ tool, target }: Pick<PermissionRequest, 'tool' | 'target'>): string {
  const isKind = toolKinds.some((kind) => kind === tool);
  return `permission to ${isKind ? tool : `use ${tool}`}: ${target}`;
}
