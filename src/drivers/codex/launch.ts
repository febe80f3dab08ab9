import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../lib/json.ts';
import type { CodexDriver } from '../../model/codex.ts';
import type { LaunchPlan, TurnPlace } from '../../model/driver.ts';
import type { WorkspaceTrust } from '../../model/trust.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { turnTools } from '../../model/turn-tools.ts';
import { programPath } from '../command/launch.ts';
import { promptText } from '../prompt-text.ts';
import { owedSchema } from '../../model/result-contract.ts';
import { modelFor } from '../turn-model.ts';
import { codexCli } from './cli.ts';
import { isStrict } from './output-schema.ts';
import { sandboxFlags, sandboxOf } from './turn-sandbox.ts';
import { toml } from './toml.ts';

/**
 * What the sandbox refuses is told nowhere else: a command that fails at once for that reason leaves no event. The rest is
 * what the CLI tells by itself.
 */
const env = { RUST_LOG: 'error,codex_sandboxing=warn' };

/** One turn: the prompt on the input, one JSON object a line on the output. */
export function planCodex(config: CodexDriver, spec: SessionSpec, place: TurnPlace): LaunchPlan {
  const model = modelFor(codexCli, config.models, spec);
  return {
    argv: [
      programPath(config.program, place.projectDir),
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--cd',
      spec.workspace,
      ...sandboxFlags(sandboxOf(config, spec), spec, place.sessionDir),
      ...(model === undefined ? [] : ['--model', model]),
      ...Object.entries({ ...withoutOtherTools(spec), ...config.config }).flatMap(([name, value]) => [
        '--config',
        `${name}=${toml(value)}`,
      ]),
      ...trustFlags(place.trust),
      ...output(place),
      // A fork leaves the earlier conversation as it was: whoever goes on from it again finds the same.
      ...(spec.conversation === null ? [] : ['fork', spec.conversation]),
      '-',
    ],
    env,
    stdin: inputOf(spec),
    launcher: 'shell',
  };
}

/** It would offer its model sub-agents, and a search that runs at its vendor and that no sandbox sees. */
function withoutOtherTools(spec: SessionSpec): CodexDriver['config'] {
  return {
    'features.multi_agent': false,
    ...(turnTools(spec).fetches ? {} : { web_search: 'disabled' }),
  };
}

/**
 * Over what the person's own settings say of these folders. It wants each hook to be reviewed in its own interface, and in
 * every worktree again; a person who trusts the repository has done that.
 */
function trustFlags({ trusted, folders, surfaces }: WorkspaceTrust): readonly string[] {
  const level = { trust_level: trusted ? 'trusted' : 'untrusted' };
  const projects = Object.fromEntries(folders.map((folder) => [folder, level]));
  const brings = surfaces.some(({ cli }) => cli === codexCli.name);
  return [
    '--config',
    `projects=${toml(projects)}`,
    ...(trusted && brings ? ['--dangerously-bypass-hook-trust'] : []),
  ];
}

/**
 * Who it is comes before the task: the CLI has a flag only for a short text that everybody on the machine can read, and a
 * file would replace the instructions it works by. A conversation that goes on has been told already.
 */
function inputOf(spec: SessionSpec): string {
  return spec.systemPrompt === '' || spec.conversation !== null ? spec.prompt : promptText(spec);
}

/** Its last words become the result where the model can be bound to the form; elsewhere the agent writes the file itself. */
function output({ contract, sessionDir }: TurnPlace): readonly string[] {
  if (contract.by === 'file') return [];
  const file = join(sessionDir, 'result.schema.json');
  writeFileSync(file, JSON.stringify(contract.schema), { mode: 0o600 });
  return ['--output-schema', file, '--output-last-message', join(sessionDir, 'result.json')];
}

/** Any other schema than a strict one makes the model refuse the whole turn. */
export function codexSchema(spec: SessionSpec): Json | null {
  const schema = owedSchema(spec);
  return schema !== null && isStrict(schema) ? schema : null;
}
