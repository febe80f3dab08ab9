import { modelServer } from '../rig/model-server.ts';
import { acpCells } from './acp-cells.ts';
import { claudeHome } from './claude-home.ts';

acpCells({
  cli: 'claude-agent-acp',
  model: 'sonnet',
  serve: modelServer,
  settle: (stage, server) => {
    const {
      PATH: _path,
      HOME: _home,
      TMPDIR: _tmp,
      ...env
    } = claudeHome(stage.folder, stage.workspace, server);
    return env;
  },
  write: (path, content) => ({ name: 'Write', input: { file_path: path, content } }),
  run: (command) => ({ name: 'Bash', input: { command, description: 'x' } }),
  usage: { inputTokens: 400, outputTokens: 80 },
  quietMs: () => 30_000,
  sigterm: 'failed',
  signIn: '`claude auth login`',
  troubles: {
    'limit-429': ['limit', /429/],
    'api-500': ['failed', /500/],
    'overload-529': ['limit', /529/],
    malformed: ['failed', /malformed response/],
  },
});
