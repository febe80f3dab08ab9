import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { partsOf, runGit } from './git.ts';
import { repositoryText } from './repository.ts';

export interface Author {
  readonly name: string;
  readonly email: string;
}

const nobody: Author = { name: 'tutti', email: 'tutti@localhost' };

/** Asked once for each time a target is opened. */
const known = new WeakMap<Target, Promise<Author>>();

/** Who the operator is to git, in that place; `tutti@localhost` where git does not know. */
export function operatorOf(target: Target): Promise<Author> {
  const operator = known.get(target) ?? askOperator(target);
  known.set(target, operator);
  return operator;
}

async function askOperator(target: Target): Promise<Author> {
  const args = ['config', '-z', '--get-regexp', '^user\\.(name|email)$'];
  const { stdout } = await runGit(nearestFolder(target.root), args);
  // The last one counts.
  const settings = new Map(
    partsOf(stdout).map((entry) => [entry.split('\n')[0], entry.split('\n')[1] ?? '']),
  );
  const name = settings.get('user.name') ?? '';
  const email = settings.get('user.email') ?? '';
  return name === '' || email === '' ? nobody : { name, email };
}

/** The folder itself, or the nearest one above it that is there. */
export function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** The operator where it is left out. */
  readonly author?: Author;
}

/** A commit object, on no branch. Never signed: nobody is there to give a passphrase. */
export async function commitTree(target: Target, parts: CommitParts): Promise<Result<string, string>> {
  const operator = await operatorOf(target);
  const author = parts.author ?? operator;
  const parents = parts.parents.flatMap((parent) => ['-p', parent]);
  return repositoryText(target, ['commit-tree', '--no-gpg-sign', parts.tree, ...parents, '-F', '-'], {
    input: parts.message,
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: operator.name,
      GIT_COMMITTER_EMAIL: operator.email,
    },
  });
}

/** A commit message with its trailers, in git's form: names and values of one line each. */
export function messageOf(message: string, trailers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(trailers).map(
    ([name, value]) => `${name}: ${value.replaceAll(/\s+/g, ' ').trim()}`,
  );
  const body = message.trim() === '' ? 'Work of a task' : message.trim();
  return `${body}\n${lines.length === 0 ? '' : `\n${lines.join('\n')}\n`}`;
}
