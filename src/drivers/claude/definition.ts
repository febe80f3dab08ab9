import type { ClaudeDriver } from '../../model/claude.ts';
import { owedSchema } from '../../model/result-contract.ts';
import type { DriverDefinition } from '../driver-definition.ts';
import { missingClaude } from './capabilities.ts';
import { claudeCli } from './cli.ts';
import { conversationId, interactiveClaude, planClaude } from './launch.ts';
import { onboardingProblem } from './onboarding.ts';
import { claudeReader } from './parse.ts';

export function defineClaude(config: ClaudeDriver): DriverDefinition {
  const { name, models, install, repository, signIn } = claudeCli;
  const { program, settings, mcpConfig } = config;
  return {
    cli: { cli: claudeCli, program, isBridge: false, install },
    program: { kind: 'cli', hasOwnSandbox: false, deniesCommands: true },
    commands: [[program]],
    files: [settings, mcpConfig].filter((file) => file !== undefined),
    settings: {},
    defaultModels: () => models,
    agent: (driver, paths) => ({
      name: driver,
      steering: 'none',
      ...(config.asks === true ? { asks: true as const } : {}),
      resumes: true,
      tellsTools: true,
      tellsUsage: 'cost',
      reads: repository.reads,
      obeys: [name],
      restrains: true,
      signInAdvice: signIn.advice,
      permissionSetting: 'allowed_tools',
      missing: () => missingClaude(config, paths),
      bindsResult: owedSchema,
      plan: (spec, place) => planClaude(config, spec, place),
      interactive: (spec, place) => interactiveClaude(config, spec, place),
      reader: claudeReader,
    }),
    interfaceProblem: (_driver, place) => onboardingProblem(program, place),
    interfaceConversation: conversationId,
    resumeCommand: (conversation) => [program, '--resume', conversation],
  };
}
