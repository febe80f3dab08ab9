import { join } from 'node:path';
import { personalInstructions } from '../../drivers/known-clis.ts';
import { readText } from '../../lib/read-text.ts';
import type { Redactor } from '../../lib/redact.ts';

const maxRead = 256 * 1024;
const maxTold = 16_000;

export interface PreferencePlaces {
  readonly home: string;
  readonly root: string;
  readonly targetDir: string;
}

/** What the user wants of every plan: their own instructions and the project's. Empty where there are none. */
export function userPreferences({ home, root, targetDir }: PreferencePlaces, redactor: Redactor): string {
  const places = new Map([
    ...personalInstructions.map((file) => [join(home, file), `~/${file}`] as const),
    [join(root, 'AGENTS.md'), 'AGENTS.md of the project'],
    [join(targetDir, 'AGENTS.md'), 'AGENTS.md of the target'],
  ]);
  const parts = [...places].flatMap(([path, name]) => {
    const text = readText(path, { maxBytes: maxRead, links: 'follow' });
    if (!text.ok || text.value.trim() === '') return [];
    const told = text.value.trim();
    return [`### ${name}\n\n${told.length > maxTold ? `${told.slice(0, maxTold)}\n…` : told}`];
  });
  // The project and the target are often one directory.
  return redactor.text([...new Set(parts)].join('\n\n'));
}
