import type { ClaudeDriver } from '../../src/model/claude.ts';
import type { ModelRule } from '../rig/model-brain.ts';
import { modelServer } from '../rig/model-server.ts';
import { claudeHome } from './claude-home.ts';
import type { Stage, TurnRequest } from './stage.ts';

/** A server that answers by the rules, and how to say something to the agent that talks to it. */
export async function openTalk(stage: Stage, rules: readonly ModelRule[]) {
  const server = await modelServer(rules);
  const env = claudeHome(stage.folder, stage.workspace, server);
  const { ANTHROPIC_API_KEY: _, ...keyless } = env;
  const driver = (more: Partial<ClaudeDriver> = {}): ClaudeDriver => ({
    type: 'claude',
    program: stage.program,
    allowedTools: ['Write', 'Bash'],
    models: {},
    ...more,
  });
  return {
    server,
    env,
    /** As somebody who pays by the month sees it. */
    subscriber: { ...keyless, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-of-a-test' },
    driver,
    say: (prompt: string, more: Partial<TurnRequest> = {}) =>
      stage.run({ driver: driver(), prompt, env, ...more }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
