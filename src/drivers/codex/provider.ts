import { isAbsolute, join } from 'node:path';
import { isObject, type JsonObject, textMember } from '../../lib/json.ts';
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
  const tables = tablesIn(toml);
  const top = tables.get('') ?? '';
  const profile = tables.get(`profiles.${valueIn(top, 'profile')}`) ?? '';
  const name =
    textMember(settings, 'model_provider') ||
    valueIn(profile, 'model_provider') ||
    valueIn(top, 'model_provider') ||
    'openai';
  const table = tables.get(`model_providers.${name}`) ?? '';
  const providers = settings['model_providers'] ?? null;
  const own = isObject(providers) ? (providers[name] ?? null) : null;
  const envKey = textMember(own, 'env_key') || valueIn(table, 'env_key');
  const asksOpenAi = isObject(own)
    ? own['requires_openai_auth'] === true
    : /^\s*requires_openai_auth\s*=\s*true/m.test(table);
  return { name, envKey: envKey === '' ? null : envKey, needsOpenAi: name === 'openai' || asksOpenAi };
}

/** Lines of each table, by its name without quotes; those before the first table under the empty name. */
function tablesIn(toml: string): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  let name = '';
  for (const line of toml.split('\n')) {
    const header = /^\s*\[\s*([^[\]]+?)\s*\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (header === undefined) tables.set(name, `${tables.get(name) ?? ''}${line}\n`);
    else name = header.replaceAll(/["'\s]/g, '');
  }
  return tables;
}

function valueIn(lines: string, name: string): string {
  const found = new RegExp(String.raw`^\s*${name}\s*=\s*["']([^"']*)["']`, 'm').exec(lines);
  return found?.[1] ?? '';
}
