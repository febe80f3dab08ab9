import { join } from 'node:path';
import { readText } from '../../lib/read-text.ts';
import type { CodexDriver } from '../../model/codex.ts';
import type { Variables } from '../cli-facts.ts';

const provider = /^\s*model_provider\s*=\s*["']([^"']+)["']/m;

/** Whether models come from another provider than OpenAI, so that OpenAI's names mean nothing there. */
export function hasOwnProvider({ config }: CodexDriver, env: Variables, home: string): boolean {
  const named =
    config['model_provider'] ?? providerIn(join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml'));
  return (named !== null && named !== 'openai') || 'model' in config;
}

/** Of the lines before the first table: a provider in a profile is not the one that counts. */
function providerIn(file: string): string | null {
  const text = readText(file, { maxBytes: 1024 * 1024, links: 'follow' });
  if (!text.ok) return null;
  const [top = ''] = text.value.split(/^\s*\[/m, 1);
  return provider.exec(top)?.[1] ?? null;
}
