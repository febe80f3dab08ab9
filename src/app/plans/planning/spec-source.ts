import { basename, dirname, extname, relative, resolve } from 'node:path';
import { isSafeName, slug } from '../../../lib/ids.ts';
import { shellWord } from '../../../lib/shell-word.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { didYouMean } from '../../../lib/nearest.ts';
import { readNamedFile } from '../../confinement.ts';
import type { ProjectPaths } from '../../project.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Place } from '../../tutti.ts';
import { existingSpecs } from './existing-specs.ts';

const maxBytes = 16 * 1024 * 1024;
const longestName = 40;

/** Where a specification comes from. `stored`: the plan has it already. */
export type SpecSource =
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'text'; readonly text: string }
  | { readonly from: 'stored' };

export interface SpecOrder {
  /** The command that was typed, which hints repeat. */
  readonly command: 'plan' | 'build';
  readonly spec: SpecSource;
  /** Name of the plan, if somebody gave one. */
  readonly plan: string | null;
  /** Where relative paths begin. */
  readonly folder: string;
}

export interface NamedSpec {
  readonly plan: string;
  /** Word for word; null: the stored one. */
  readonly text: string | null;
}

/** The specification and the name of its plan; nothing is stored yet. `plans`: the names there are. */
export function takeSpec(
  { paths, env }: Pick<Place, 'paths' | 'env'>,
  { command, spec, plan, folder }: SpecOrder,
  plans: readonly string[],
): Result<NamedSpec, Refusal> {
  if (plan !== null && !isSafeName(plan)) {
    const message = `'${plan.slice(0, 80)}' cannot be the name of a plan: letters, digits, - and _ only`;
    return err(refusal('USAGE', message, `choose another, for example: --plan ${slug(plan, longestName)}`));
  }
  if (spec.from === 'stored') return stored(paths, { command, plan }, plans);
  const text =
    spec.from === 'text' ? ok(spec.text) : readNamedFile(resolve(folder, spec.path), maxBytes, env);
  if (!text.ok) {
    const named = spec.from === 'file' ? `${spec.path} ` : '';
    const message = `the specification ${named}${text.error.message}`;
    return err(refusal('USAGE', message, `check the path: tutti ${command} FILE`));
  }
  const wrong = wrongWith(text.value);
  if (wrong !== null)
    return err(refusal('USAGE', wrong, `give a text that says what to build: tutti ${command} FILE`));
  const name = spec.from === 'file' ? nameOfFile(paths, resolve(folder, spec.path)) : nameOfText(text.value);
  return ok({ plan: plan ?? name, text: text.value });
}

function stored(
  paths: ProjectPaths,
  { command, plan }: Pick<SpecOrder, 'command' | 'plan'>,
  plans: readonly string[],
): Result<NamedSpec, Refusal> {
  const only = plans.length === 1 ? plans[0] : undefined;
  const name = plan ?? only;
  if (name !== undefined && plans.includes(name)) return ok({ plan: name, text: null });
  const found = existingSpecs(paths).map(({ path, plan: of }) =>
    of === null ? `tutti ${command} ${shellWord(path)}` : `tutti ${command} --plan ${of}`,
  );
  const message =
    plan === null
      ? 'no specification was given'
      : `there is no plan '${plan}', and no specification was given${didYouMean(plan, plans)}`;
  const hint = found[0] ?? `write down what to build, then: tutti ${command} FILE (or - for standard input)`;
  const refused = refusal('USAGE', message, hint);
  return err(
    found.length === 0
      ? refused
      : { ...refused, detail: ['Found here:', ...found.map((each) => `  ${each}`)].join('\n') },
  );
}

function wrongWith(text: string): string | null {
  if (text.trim() === '') return 'the specification is empty';
  if (text.includes('\0')) return 'the specification is not text: it contains NUL';
  return Buffer.byteLength(text) > maxBytes ? `the specification is larger than ${maxBytes} bytes` : null;
}

/** `docs/shop-spec.md` → `shop-spec`; the stored specification of a plan is that plan's. */
function nameOfFile({ state }: ProjectPaths, path: string): string {
  const way = relative(`${state}/plans`, path).split('/');
  if (way.length === 3 && way[1] === 'inputs' && isSafeName(way[0] ?? '')) return way[0] ?? '';
  const stem = basename(path, extname(path));
  return slug(
    /^(?:spec|specification|requirements|readme)$/i.test(stem) ? `${basename(dirname(path))}-${stem}` : stem,
    longestName,
  );
}

function nameOfText(text: string): string {
  const [first = ''] = text.split('\n').filter((line) => line.trim() !== '');
  return slug(first, longestName);
}
