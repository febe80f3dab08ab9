import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suggestedCommands } from '../../src/app/discovery/discover.ts';
import { findProject, pathsOf } from '../../src/app/project.ts';
import type { ProjectTrust } from '../../src/app/trust/project-trust.ts';
import { makeState, stateOrigin } from '../../src/app/trust/state-mark.ts';
import { lookAtTrust, trustRepository } from '../../src/app/trust/trust.ts';
import { startFlow as startReal } from '../../src/app/runs/start-flow.ts';
import type { OpenParams } from '../../src/app/opened-project.ts';
import { openTutti as openReal } from '../../src/app/tutti.ts';
import type { WorkspaceTrust } from '../../src/model/trust.ts';
import { playedPerson } from './person.ts';

/** Of a folder that nobody has trusted, and that brings nothing. */
export const noTrust: WorkspaceTrust = { trusted: false, repository: '/w', folders: ['/w'], surfaces: [] };

export const fullTrust: WorkspaceTrust = { ...noTrust, trusted: true };

/** For a unit that is about something else than trust. */
export const everythingCounts: ProjectTrust = {
  repository: '/w',
  isKnown: true,
  holds: () => true,
  counts: () => true,
  countsCommands: () => true,
};

/** A project of the test's own, all of which counts. */
export function ownProject(root: string) {
  return { paths: { root }, trust: everythingCounts };
}

const skipped: ReadonlySet<string> = new Set(['.git', '.tutti', '.local', 'node_modules', 'state']);

/**
 * Records, as a person at a terminal would, that everything in a project counts: the test wrote it. The one place where tests
 * trust what they wrote; those about trust itself do not come here.
 */
export function trustProject(folder: string, env: OpenParams['env']): void {
  const project = findProject(folder);
  // What is wrong with a folder is for the command to say.
  if (statSync(project, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const paths = pathsOf(project);
  if (stateOrigin(paths, env).from !== 'nowhere') makeState(paths, env);
  const { files, repositories, folders } = contentsOf(project, 3);
  for (const repository of [...repositories, project]) {
    const commands = [repository, ...folders].flatMap(suggestedCommands);
    const { surfaces } = lookAtTrust(repository, env, { files });
    if (surfaces.length + commands.length === 0) continue;
    const done = trustRepository(repository, env, new Date(), { files, commands });
    if (!done.ok) throw new Error(done.error.message);
  }
}

interface Contents {
  readonly files: readonly string[];
  readonly repositories: readonly string[];
  readonly folders: readonly string[];
}

function contentsOf(folder: string, depth: number): Contents {
  const found = { files: [] as string[], repositories: [] as string[], folders: [] as string[] };
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name)) found.files.push(path);
    if (entry.name === '.git') found.repositories.push(folder);
    if (!entry.isDirectory() || depth === 0 || skipped.has(basename(path))) continue;
    const below = contentsOf(path, depth - 1);
    found.folders.push(path, ...below.folders);
    found.files.push(...below.files);
    found.repositories.push(...below.repositories);
  }
  return found;
}

/** Opens a project that the test wrote, as the person who wrote it. */
export const openTutti: typeof openReal = (params) => {
  trustProject(params.folder, params.env);
  return openReal({ caller: playedPerson(params.env), ...params });
};

/** Starts a flow that the test wrote. */
export const startFlow: typeof startReal = (tutti, flow, request) => {
  trustProject(request.folder, tutti.env);
  return startReal(tutti, flow, request);
};
