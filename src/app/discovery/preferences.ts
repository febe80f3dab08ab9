import { isAbsolute, join, resolve } from 'node:path';
import { personalInstructions } from '../../drivers/cli-facts.ts';
import type { Variables } from '../../drivers/environment.ts';
import { homeFolder } from '../../drivers/sign-in.ts';
import { readText } from '../../lib/read-text.ts';
import type { Redactor } from '../../lib/redact.ts';

const maxRead = 256 * 1024;
const maxTold = 16_000;

export interface PreferencePlaces {
  readonly env: Variables;
  readonly root: string;
  readonly targetDir: string;
}

/**
 * What the user wants of every plan: their own instructions, and those of a target that is not the project. AGENTS.md of the project
 * reaches every agent by another way, and each file once. Empty where there are none.
 */
export function userPreferences({ env, root, targetDir }: PreferencePlaces, redactor: Redactor): string {
  const places = new Map([
    ...personalInstructions(env).map(
      (file) => [resolve(homeFolder(env), file), isAbsolute(file) ? file : `~/${file}`] as const,
    ),
    ...(resolve(targetDir) === resolve(root)
      ? []
      : [[join(targetDir, 'AGENTS.md'), 'AGENTS.md of the target'] as const]),
  ]);
  const parts = [...places].flatMap(([path, name]) => {
    const text = readText(path, { maxBytes: maxRead, links: 'follow' });
    if (!text.ok || text.value.trim() === '') return [];
    const told = text.value.trim();
    return [`### ${name}\n\n${told.length > maxTold ? `${told.slice(0, maxTold)}\n…` : told}`];
  });
  return redactor.text(parts.join('\n\n'));
}
