import { statSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type Decision, delegable, type Delegable } from '../../model/decision.ts';
import type { CallerFacts } from '../../model/ports/caller.ts';
import type { Clock } from '../../model/ports/clock.ts';
import { delegationsForm } from '../../model/schemas/delegations.ts';
import { check } from '../../model/schemas/issue.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import { fileLayer } from '../config/file-layer.ts';

/** A decision that a person left to agents. */
export interface Delegation {
  readonly decision: Delegable;
  /** The person. */
  readonly by: string;
  /** Null: the person's configuration says so, for every project and without an end. */
  readonly until: number | null;
}

interface DelegationPlace {
  readonly caller: Pick<CallerFacts, 'user'>;
  readonly clock: Pick<Clock, 'wall'>;
  readonly paths: { readonly root: string };
}

/** The delegation that lets an agent decide this here and now; null: there is none. */
export function findDelegation(place: DelegationPlace, decision: Decision): Delegation | null {
  return listDelegations(place).find((each) => each.decision === decision) ?? null;
}

/** What is delegated in this project now. */
export function listDelegations({ caller, clock, paths }: DelegationPlace): readonly Delegation[] {
  const { name, home } = caller.user;
  if (home === null) return [];
  const now = clock.wall();
  const timed = readRecords(home).flatMap(({ project, decision, by, at, until }) =>
    project === paths.root && at <= now && now < until ? [{ decision, by, until }] : [],
  );
  return [...configured(home).map((decision) => ({ decision, by: `user:${name}`, until: null })), ...timed];
}

/**
 * Only the person's own file counts, found by the home that the system has for the user: an agent could write a project's
 * `tutti.yaml`, and point `HOME` or `XDG_CONFIG_HOME` to a file of its own.
 */
function configured(home: string): readonly Delegable[] {
  const path = join(home, '.config', 'tutti', 'config.yaml');
  if (!isOwn(path)) return [];
  const file = fileLayer(path);
  const told = file.ok ? file.value.delegate : {};
  return delegable.filter((decision) => told[decision] === 'agents');
}

interface DelegationRecord extends Delegation {
  readonly project: string;
  readonly at: number;
  readonly until: number;
}

function recordsPath(home: string): string {
  return join(home, '.local', 'state', 'tutti', 'delegations.json');
}

/** A damaged file delegates nothing. */
function readRecords(home: string): readonly DelegationRecord[] {
  const path = recordsPath(home);
  const text = readText(path, { maxBytes: 1024 * 1024, links: 'refuse' });
  if (!text.ok || !isOwn(path)) return [];
  const json = parseJson(text.value);
  const form = json.ok ? check(delegationsForm, json.value) : null;
  return form?.ok === true ? form.value.delegations : [];
}

/** Delegates a decision in this project until then, in place of what was said about it before. Null ends it. */
export function writeDelegation(
  { caller, clock, paths }: DelegationPlace,
  decision: Delegable,
  granted: { readonly by: string; readonly until: number } | null,
): Result<null, string> {
  const { home } = caller.user;
  if (home === null) return err('the system knows no home of this user');
  const now = clock.wall();
  const kept = readRecords(home).filter(
    (each) => each.until > now && !(each.project === paths.root && each.decision === decision),
  );
  const added = granted === null ? [] : [{ project: paths.root, decision, at: now, ...granted }];
  const path = recordsPath(home);
  try {
    makePrivateFolder(join(home, '.local', 'state', 'tutti'));
    replaceFile(path, `${JSON.stringify({ version: 1, delegations: [...kept, ...added] }, null, 2)}\n`);
    return ok(null);
  } catch (error) {
    return err(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Whether the file belongs to this user, and no other one may write it. */
function isOwn(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}
