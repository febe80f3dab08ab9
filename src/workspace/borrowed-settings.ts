import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isWithin } from '../lib/path-below.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { operatorOf } from './commit.ts';
import { runGit, textOf } from './git.ts';
import { droppings, type RepositorySetup } from './repository.ts';

/** Settings that decide how files are read and written. Nothing that runs a program is among them. */
const taken: ReadonlySet<string> = new Set([
  'core.autocrlf',
  'core.eol',
  'core.filemode',
  'core.symlinks',
  'core.ignorecase',
  'core.precomposeunicode',
]);

type Settings = Pick<RepositorySetup, 'format' | 'settings' | 'borrows' | 'exclude' | 'shallow'>;

/** Where the state directory is inside the target, it is not part of it either. */
function excludedFor({ state, root, dir }: Target): string {
  const own = dirname(state);
  const inside = [...new Set([root, dir])].filter((folder) => folder !== own && isWithin(folder, own));
  const lines = inside.map((folder) => `/${relative(folder, own).replaceAll(/[\\*?[\]!# ]/g, '\\$&')}/`);
  return [...droppings, ...lines].map((line) => `${line}\n`).join('');
}

/** What the plan's repository takes over from the operator's. */
export async function borrowedSettings(target: Target): Promise<Result<Settings, string>> {
  const identity = await identityLines(target);
  if (target.kind === 'folder') {
    const exclude = excludedFor(target);
    return ok({ format: 'sha1', settings: identity, borrows: [], exclude, shallow: null });
  }
  const { root } = target;
  const listed = ['objects', 'shallow', 'info/exclude'].flatMap((name) => ['--git-path', name]);
  const facts = textOf(await runGit(root, ['rev-parse', '--show-object-format', ...listed]));
  if (!facts.ok) return facts;
  const [format = 'sha1', objects = '', shallow = '', exclude = ''] = facts.value.split('\n');
  const folder = resolve(root, objects);
  if (!existsSync(folder)) return err(`${root} has no objects folder; see: git fsck`);
  const names = [...taken].map((name) => name.replace('.', '\\.')).join('|');
  const { stdout } = await runGit(root, ['config', '--local', '-z', '--get-regexp', `^(${names})$`]);
  const settings = stdout.split('\0').flatMap((entry) => {
    const [name = '', value = ''] = entry.split('\n');
    return taken.has(name) && /^[a-z]+$/i.test(value) ? [`\t${name.slice('core.'.length)} = ${value}\n`] : [];
  });
  return ok({
    format,
    settings: `${settings.length === 0 ? '' : `[core]\n${settings.join('')}`}${identity}`,
    borrows: [realpathSync(folder)],
    exclude: `${textIn(resolve(root, exclude)) ?? ''}\n${excludedFor(target)}`,
    shallow: textIn(resolve(root, shallow)),
  });
}

/** So that agents can commit, whatever their environment says of them. */
async function identityLines(target: Target): Promise<string> {
  const { name, email } = await operatorOf(target);
  const quoted = (value: string): string => `"${value.replaceAll(/[\\"]/g, '\\$&')}"`;
  return `[user]\n\tname = ${quoted(name)}\n\temail = ${quoted(email)}\n`;
}

function textIn(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
