import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelServer } from '../rig/model-server.ts';

const key = `sk-fake-${'0123456789'.repeat(4)}`;

/** A person's home in which the CLI was set up, and what agents see there: nothing of the real person, no network. */
export function claudeHome(
  folder: string,
  workspace: string,
  server: Pick<ModelServer, 'url'>,
): Readonly<Record<string, string>> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const settings = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [workspace]: { hasTrustDialogAccepted: true } },
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(settings));
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  };
}
