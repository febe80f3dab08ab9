import { readdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { placedHome } from '../../drivers/homes.ts';
import { guardedFiles } from '../../drivers/cli-facts.ts';
import { findWorkingDriver } from '../../drivers/registry.ts';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { isSafeId } from '../../lib/ids.ts';
import { isWithin } from '../../lib/path-below.ts';
import { packageFile } from '../../lib/package-files.ts';
import { requestsFolder } from '../../model/command-relay.ts';
import { describeSandbox } from '../../model/sandbox.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { turnTools } from '../../model/turn-tools.ts';
import { readEnd } from '../../runtime/attempt-files.ts';
import type { ProcessSpec } from '../../runtime/process-spec.ts';
import { withRelay } from '../../runtime/command-relay/run-in-relay.ts';
import { noteSession } from '../../runtime/session-log.ts';
import { prepareCliHome } from '../../workspace/cli-home.ts';
import { sandboxed, type SandboxPlace } from '../../workspace/sandbox.ts';
import { findSandbox } from '../agents/agent-sandbox.ts';
import { stateFolder } from '../state-folder.ts';
import type { HostParts } from './host-parts.ts';
import { putAsideNew } from './put-aside.ts';

type Known = Pick<HostParts, 'config' | 'env'>;

/** What is run, in the sandbox that was chosen. */
export function inSandbox(
  { config, paths, env }: Known & Pick<HostParts, 'paths'>,
  spec: SessionSpec,
  files: { readonly id: string; readonly sessionDir: string; readonly result: string },
  argv: ProcessSpec['argv'],
): ProcessSpec['argv'] {
  const { workspace, handoff } = spec;
  const { writes } = turnTools(spec);
  const { mode } = findSandbox({ config, env }, spec);
  if (mode === 'off') return argv;
  const home = env['HOME'] ?? homedir();
  const cli = findWorkingDriver(config, spec.driver)?.cli?.cli;
  const own = cli === undefined ? null : placedHome(cli.home, env);
  if (own !== null) prepareCliHome(home, own);
  const cacheDir = join(stateFolder(env), 'cache', paths.mark);
  makePrivateFolder(cacheDir);
  const relay = prepareRelay({ paths, env }, files);
  const addDirs = writes === 'scratch' ? [] : handoff.addDirs;
  const held = sandboxed(
    argv,
    { ...config.sandbox, mode, write: [...config.sandbox.write, dirname(files.result)] },
    {
      projectDir: paths.root,
      workspace,
      workspaceFor: writes === 'workspace' ? 'work' : 'look',
      workspaceKind: isWithin(stateFolder(env), workspace) ? 'task' : 'checkout',
      sessionDir: files.sessionDir,
      addDirs,
      home,
      guarded: guardedFiles,
      homes: own?.folders ?? [],
      homeGuards: own === null ? [] : [...own.guarded, ...Object.keys(own.settings)],
      cacheDir,
      ...relay,
      hasTerminal: handoff.host === 'interactive',
      programs: [process.execPath, packageFile('tutti')],
      searchPath: env['PATH'],
    },
  );
  return withRelay(held, {
    session: files.id,
    sessionDir: files.sessionDir,
    answers: relay.answers.own,
    project: paths.root,
    places: [...new Set([paths.root, workspace, files.sessionDir, ...addDirs])],
  });
}

/** The folders of the session's relay. Those of sessions that were killed before their relay could clean up are removed. */
function prepareRelay(
  { paths, env }: Pick<HostParts, 'paths' | 'env'>,
  { id, sessionDir }: { readonly id: string; readonly sessionDir: string },
): Pick<SandboxPlace, 'requests' | 'answers'> {
  const all = join(stateFolder(env), 'answers');
  const ofProject = join(all, paths.mark);
  const own = join(ofProject, id);
  makePrivateFolder(own);
  for (const name of readdirSync(ofProject)) {
    const isOver = name !== id && isSafeId(name) && readEnd(paths.session(name)) !== null;
    if (isOver) putAsideNew(paths.session(name));
    if (isOver) rmSync(join(ofProject, name), { recursive: true, force: true });
  }
  const requests = join(sessionDir, requestsFolder);
  makePrivateFolder(requests);
  return { requests, answers: { all, own } };
}

/**
 * Says which sandbox a session has: always in its own log, and to those who watch the run once for each answer. A
 * cassette, and a program of the operator where nothing was configured, are as they always were.
 */
export async function tellSandbox(
  parts: Known & Pick<HostParts, 'store'>,
  runId: string,
  spec: SessionSpec,
  dir: string,
): Promise<void> {
  const choice = findSandbox(parts, spec);
  const { because } = choice.reason;
  if (because === 'player' || (because === 'configured' && choice.mode === 'off')) return;
  const message = describeSandbox(choice);
  noteSession(dir, [choice.mode === 'off' ? 'WARN' : 'INFO', message]);
  if (because === 'own-program') return;
  const event = {
    type: 'session.sandbox',
    about: `${spec.driver}: ${choice.mode}, ${because}`,
    message,
  } as const;
  await parts.store.noteOnce(runId, event, 0);
}
