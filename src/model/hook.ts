import { isObject, type Json } from '../lib/json.ts';
import type { Activity } from './activity.ts';
import { typedDigest } from './typed-text.ts';

/** What a terminal interface tells about itself through its hooks: the only source of its state, never the screen. */
export type HookEvent =
  /** It takes input. */
  | { readonly event: 'ready' }
  /** A prompt was taken; `prompt` is its `typedDigest`. */
  | { readonly event: 'submitted'; readonly prompt: string }
  /** It used a tool, if it says which. */
  | { readonly event: 'working'; readonly tool: string }
  /** For a person's decision. */
  | { readonly event: 'waiting'; readonly why: string }
  | { readonly event: 'turn-done'; readonly message: string }
  /** A hook of the person or the project refused a tool; one `id` is one refusal, however often it is told. */
  | { readonly event: 'blocked'; readonly tool: string; readonly reason: string; readonly id: string }
  | { readonly event: 'ended' };

const longest = 4000;

/** From what a hook was given on its input; members that the CLIs name differently are known by either name. */
export function hookEventOf(name: string, input: unknown): HookEvent | null {
  const given = isObject(input) ? input : {};
  const said = (...names: readonly string[]): string => textOf(names.map((one) => given[one]));
  switch (name) {
    case 'ready':
    case 'ended':
      return { event: name };
    case 'working':
      return { event: name, tool: cut(said('tool', 'tool_name')) };
    case 'submitted':
      return { event: name, prompt: typedDigest(said('prompt')) };
    case 'waiting':
      return { event: name, why: cut(said('why', 'message') || permission(said('tool', 'tool_name'))) };
    case 'turn-done':
      return { event: name, message: cut(said('message', 'last_assistant_message')) };
    case 'blocked':
      return {
        event: name,
        tool: cut(said('tool', 'tool_name')),
        reason: cut(said('reason', 'message', 'error')),
        id: cut(said('id', 'tool_use_id')),
      };
    default:
      return null;
  }
}

/** One line of `hooks.jsonl`, which the agent could have written as well. Null for what is no event. */
export function recordedHook(value: unknown): HookEvent | null {
  if (!isObject(value)) return null;
  const name = textOf([value['event']]);
  return name === 'submitted' ? { event: name, prompt: textOf([value['prompt']]) } : hookEventOf(name, value);
}

/** What an interface at rest waits for; any other wait is for a decision in a dialog. */
export const nextMessage = 'the next message';

/** Null: it says nothing about what the session does now. */
export function activityAfter(hook: HookEvent): Activity | null {
  switch (hook.event) {
    case 'submitted':
    case 'working':
      return { at: 'working' };
    case 'waiting':
      return { at: 'waiting', for: hook.why };
    case 'ready':
    case 'turn-done':
      return { at: 'waiting', for: nextMessage };
    case 'blocked':
    case 'ended':
      return null;
  }
}

function permission(tool: string): string {
  return tool === '' ? 'a decision' : `permission to use ${tool}`;
}

function textOf(values: readonly (Json | undefined)[]): string {
  return values.filter((value) => typeof value === 'string').find((value) => value !== '') ?? '';
}

function cut(text: string): string {
  return text.slice(0, longest);
}
