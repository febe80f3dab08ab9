import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import { readText } from '../lib/read-text.ts';
import { parseJson } from '../model/schemas/json-text.ts';
import type { Variables } from './environment.ts';

/**
 * How a CLI reaches its model, judged by the provider that its own configuration names. `variables` are those that the agent
 * must see for it. Nothing here tells the value of a secret.
 */
export type SignIn =
  | { readonly found: true; readonly text: string; readonly variables: readonly string[] }
  | {
      readonly found: false;
      readonly text: string;
      readonly fix: string;
      /** It is there, and agents do not see it. */
      readonly hidden?: true;
      /** It is the one way to sign in with this configuration, so that no other is advised. */
      readonly only?: true;
    };

export interface SignInPlace {
  readonly env: Variables;
  /** Settings of the CLI in `tutti.yaml`, which override its own file. */
  readonly config: JsonObject;
}

export type FindSignIn = (place: SignInPlace) => SignIn;

/** A folder of a CLI: where a variable says, else below the home. */
export function cliFolder(env: Variables, variable: string, folder: string, below = '.'): string {
  const named = env[variable] ?? '';
  return join(isAbsolute(named) ? named : join(homeFolder(env), folder), below);
}

export function homeFolder(env: Variables): string {
  return env['HOME'] ?? homedir();
}

const maxBytes = 1024 * 1024;

/** An object in a file of a CLI; null where it cannot be read. */
export function readObject(path: string): JsonObject | null {
  const text = readText(path, { maxBytes, links: 'follow' });
  const json = text.ok ? parseJson(text.value) : null;
  return json?.ok === true && isObject(json.value) ? json.value : null;
}

export function objectMember(value: JsonObject | null, name: string): JsonObject | null {
  const member: Json = value?.[name] ?? null;
  return isObject(member) ? member : null;
}

export function firstSet(env: Variables, names: readonly string[]): string | null {
  return names.find((name) => (env[name] ?? '') !== '') ?? null;
}
