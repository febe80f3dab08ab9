import { join } from 'node:path';
import { isObject, type Json } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import type { InterfacePlace } from '../driver-definition.ts';

const maxBytes = 64 * 1024 * 1024;

/**
 * Null, or why its interface would ask something before it takes a prompt. Such a question is for the person whose
 * account it is: nothing is answered for them, and their files are only read.
 */
export function onboardingProblem(program: string, { workspace, env }: InterfacePlace): string | null {
  const file = join(env['CLAUDE_CONFIG_DIR'] ?? env['HOME'] ?? '/', '.claude.json');
  const settings = readSettings(file);
  const fix = `run it once there and answer: cd ${workspace} && ${program}`;
  if (settings['hasCompletedOnboarding'] !== true) {
    return `${program} has not been set up for this person yet: ${fix}`;
  }
  if (!isTrusted(settings['projects'], workspace)) {
    return `${program} does not trust ${workspace}: ${fix}`;
  }
  const key = env['ANTHROPIC_API_KEY'] ?? '';
  if (key !== '' && !isApproved(settings['customApiKeyResponses'], key)) {
    return `${program} was not allowed to use the ANTHROPIC_API_KEY that agents see: ${fix}`;
  }
  return null;
}

function readSettings(file: string): { readonly [name: string]: Json } {
  const text = readText(file, { maxBytes, links: 'follow' });
  try {
    const value: unknown = text.ok ? JSON.parse(text.value) : null;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Trust in a folder holds for what is below it. */
function isTrusted(projects: Json | undefined, workspace: string): boolean {
  if (!isObject(projects)) return false;
  return Object.entries(projects).some(
    ([folder, project]) =>
      (workspace === folder || workspace.startsWith(`${folder}/`)) &&
      isObject(project) &&
      project['hasTrustDialogAccepted'] === true,
  );
}

/** The CLI remembers the last 20 characters. */
function isApproved(responses: Json | undefined, key: string): boolean {
  const approved = isObject(responses) ? responses['approved'] : null;
  return Array.isArray(approved) && approved.includes(key.slice(-20));
}
