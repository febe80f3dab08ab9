import { isAbsolute, join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import type { CodexDriver } from '../../model/codex.ts';
import type { Variables } from '../environment.ts';

interface CodexProvider {
  readonly name: string;
  /** The variable that holds its key; null where it has none. */
  readonly envKey: string | null;
  /** Whether it goes by the sign-in for OpenAI. */
  readonly needsOpenAi: boolean;
}

/** The folder in which Codex keeps its settings and its sign-in. */
export function codexFolder(env: Variables, home: string): string {
  const named = env['CODEX_HOME'] ?? '';
  return isAbsolute(named) ? named : join(home, '.codex');
}

/** Whether models come from another provider than OpenAI, so that OpenAI's names mean nothing there. */
export function hasOwnProvider({ config }: CodexDriver, env: Variables, home: string): boolean {
  return 'model' in config || codexProvider(codexFolder(env, home), config).name !== 'openai';
}

/** The provider that Codex would use, from the `config.toml` in its folder and the settings that a driver passes on. */
export function codexProvider(folder: string, settings: JsonObject): CodexProvider {
  const text = readText(join(folder, 'config.toml'), { maxBytes: 1024 * 1024, links: 'follow' });
  return providerIn(text.ok ? text.value : '', settings);
}

function providerIn(toml: string, settings: JsonObject): CodexProvider {
  const file = valuesOfToml(toml);
  const passed = new Map<string, string>();
  collect(passed, '', settings);
  const valueOf = (name: string): string => passed.get(name) ?? file.get(name) ?? '';
  const profile = valueOf('profile');
  const name =
    passed.get('model_provider') ||
    valueOf(`profiles.${profile}.model_provider`) ||
    valueOf('model_provider') ||
    'openai';
  const provider = `model_providers.${name}`;
  const isPassed = [...passed.keys()].some((key) => key.startsWith(`${provider}.`));
  const asksOpenAi = (isPassed ? passed : file).get(`${provider}.requires_openai_auth`) === 'true';
  const envKey = valueOf(`${provider}.env_key`);
  return { name, envKey: envKey === '' ? null : envKey, needsOpenAi: name === 'openai' || asksOpenAi };
}

/** Texts and switches by their full names, whether these are written with dots or as members. */
function collect(values: Map<string, string>, prefix: string, value: Json): void {
  if (typeof value === 'string' || typeof value === 'boolean') values.set(prefix, String(value));
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value))
    collect(values, prefix === '' ? name : `${prefix}.${name}`, member);
}

const keyForm = String.raw`(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*`;
const textForm = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`;

/** The same of a `config.toml`, in tables, dotted keys and inline tables; lists are left out. */
function valuesOfToml(toml: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let table = '';
  for (const line of toml.split('\n')) {
    const header = new RegExp(String.raw`^\s*\[\s*(${keyForm})\s*\]\s*(?:#.*)?$`).exec(line)?.[1];
    if (header === undefined) collectLine(values, table, line);
    else table = plainKey(header);
  }
  return values;
}

function collectLine(values: Map<string, string>, table: string, line: string): void {
  const token = new RegExp(
    String.raw`\s*(?:(${keyForm})\s*=\s*|(${textForm}|[^\s{},"'#]+)|([{},])|(#.*$)|.)`,
    'gy',
  );
  const open: string[] = [table];
  let name = '';
  for (const [, key, text, mark, comment] of line.matchAll(token)) {
    if (comment !== undefined) return;
    if (key !== undefined) name = [open.at(-1), plainKey(key)].filter(Boolean).join('.');
    else if (text !== undefined) values.set(name, /^["']/.test(text) ? text.slice(1, -1) : text);
    else if (mark === '{') open.push(name);
    else if (mark === '}') open.pop();
  }
}

function plainKey(key: string): string {
  return key.replaceAll(/["'\s]/g, '');
}
