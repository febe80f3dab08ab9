import { fileURLToPath } from 'node:url';

/** Programs that Tutti starts besides itself: the name in `dist/programs`, and the source. */
export const programSources = {
  'acp-client': 'src/runtime/acp/acp-client.ts',
  'claude-client': 'src/drivers/claude/client/claude-client.ts',
  'hook-program': 'src/runtime/tmux/hook-program.ts',
  'nursery-program': 'src/runtime/nursery-program.ts',
  player: 'src/drivers/replay/player.ts',
  'relay-program': 'src/app/host/relay-program.ts',
  'session-relay': 'src/runtime/session-relay-program.ts',
  'terminal-relay': 'src/runtime/tmux/terminal-relay-program.ts',
} as const;

/** Paths below the package that are the same in the sources and in the published program. */
export const sharedFiles = { tutti: 'bin/tutti.js', docs: 'docs', manifest: 'package.json' } as const;

/**
 * Path of a program that Tutti starts. `module` is the file that holds this code: this one, or the bundled file that
 * contains it. Both lie two folders below the package, and Node runs the sources as they are.
 */
export function programFile(name: keyof typeof programSources, module = import.meta.url): string {
  return below(module.endsWith('.ts') ? programSources[name] : `dist/programs/${name}.js`, module);
}

/** Path of a file or folder that lies beside the program. */
export function packageFile(name: keyof typeof sharedFiles, module = import.meta.url): string {
  return below(sharedFiles[name], module);
}

function below(path: string, module: string): string {
  return fileURLToPath(new URL(`../../${path}`, module));
}
