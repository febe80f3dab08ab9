import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { knownClis } from '../../drivers/registry.ts';
import { findProgram } from '../../lib/find-program.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { agentClis } from '../../model/agent-clis.ts';
import { proposeSetup } from '../../model/project/package-manager.ts';
import { lookAtProject } from '../discovery/look-at-project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { refuseStateFolder } from '../trust/refuse-unwritable.ts';
import { trustWritten } from '../trust/trust.ts';
import type { Environment } from '../opened-project.ts';
import { demoFiles } from './demo-files.ts';

export interface Initialised {
  readonly made: readonly string[];
  /** Files that existed before; their content is unchanged. */
  readonly kept: readonly string[];
}

/** The driver of a new project, chosen by a person or by what is installed. */
interface ChosenDriver {
  readonly driver: string;
  /** Other drivers that the file mentions, those whose CLI is installed first. */
  readonly others: readonly string[];
}

/** Drivers that need no declaration, in the order in which one is proposed. */
export const driverNames: readonly string[] = agentClis;

/** The command that installs a CLI; empty where there is none of that name. */
export function installCommand(driver: string): string {
  return knownClis.find(({ name }) => name === driver)?.install ?? '';
}

/** Drivers whose CLI is on PATH. No program is started. */
export function findDrivers(env: Environment): readonly string[] {
  return driverNames.filter((name) => findProgram(name, env['PATH']) !== null);
}

/**
 * Makes a folder a project: writes `tutti.yaml` and nothing else, with the setup that its lock files suggest. Never replaces a
 * file.
 */
export function initProject(
  folder: string,
  env: Environment,
  chosen: ChosenDriver,
): Result<Initialised, Refusal> {
  const setup = proposeSetup(lookAtProject(folder));
  return writeTrusted(folder, env, new Map([['tutti.yaml', renderConfig(chosen, setup)]]));
}

/** `tutti.yaml` of a new project: the driver, its alternatives in comments, and the setup if there is one. */
function renderConfig({ driver, others }: ChosenDriver, setup: readonly (readonly string[])[]): string {
  return [
    '# Configuration of this project for Tutti. All members: tutti help configuration',
    '',
    '# The agent CLI that does the work.',
    `driver: ${driver}`,
    ...others.map((name) => `# driver: ${name}`),
    '# Any other program can be an agent too: tutti help own-agent',
    ...(setup.length === 0
      ? []
      : [
          '',
          '# Prepares each new workspace before an agent works in it.',
          'workspace:',
          '  setup:',
          ...setup.map((command) => `    - ${JSON.stringify(command)}`),
        ]),
    '',
  ].join('\n');
}

/** Writes a project whose agents are played from a cassette. Never replaces a file. */
export function initDemo(folder: string, env: Environment): Result<Initialised, Refusal> {
  return writeTrusted(folder, env, demoFiles);
}

/** A person who has a file written means it; a file that was there before stays as trusted as it was. */
function writeTrusted(
  folder: string,
  env: Environment,
  files: ReadonlyMap<string, string>,
): Result<Initialised, Refusal> {
  const unwritable = refuseStateFolder(env);
  if (unwritable !== null) return err(unwritable);
  const written = writeFiles(folder, files);
  if (!written.ok || written.value.made.length === 0) return written;
  const trusted = trustWritten(folder, env, written.value.made);
  return trusted.ok ? written : trusted;
}

function writeFiles(folder: string, files: ReadonlyMap<string, string>): Result<Initialised, Refusal> {
  const made: string[] = [];
  const kept: string[] = [];
  for (const [name, content] of files) {
    try {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { flag: 'wx' });
      made.push(name);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (code !== 'EEXIST' || isBlocked(error)) {
        const message = `cannot write ${name} in ${folder} (${code})`;
        return err(refusal('UNAVAILABLE', message, `look at the folder: ls -la ${folder}`));
      }
      kept.push(name);
    }
  }
  return ok({ made, kept });
}

/** A file where a folder should be also exists, but nothing can be put into it. */
function isBlocked(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'mkdir';
}
