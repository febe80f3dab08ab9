import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { refusal } from '../../app/refusal.ts';
import { decide } from '../../app/people/decide.ts';
import { outsideProject } from '../../app/people/outside-project.ts';
import {
  lookAtTrust,
  revokeTrust,
  type ShownSurface,
  type Trust,
  trustRepository,
} from '../../app/trust/trust.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { JsonFlag } from '../command.ts';
import { confirmed } from '../confirm.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { counted } from '../render/counted.ts';

export interface TrustFlags extends JsonFlag {
  readonly show: boolean;
  readonly revoke: boolean;
  readonly yes: boolean;
}

export async function trust(flags: TrustFlags, context: Context, folder = '.'): Promise<Outcome> {
  const { show, revoke, json } = flags;
  const place = resolve(context.folder, folder);
  if (!existsSync(place)) {
    return fail(context, refusal('USAGE', `${folder} does not exist`, 'give a directory'), json);
  }
  if (show && revoke) {
    const message = 'either --show or --revoke, not both';
    return fail(context, refusal('USAGE', message, 'see: tutti trust --help'), json);
  }
  if (show) {
    const seen = lookAtTrust(place, context.env);
    tell(context, flags, seen, 'shown');
    return seen.trustedAt === null ? 'FAILURE' : 'SUCCESS';
  }
  return revoke ? revoked(flags, context, place) : trusted(flags, context, place);
}

async function revoked(flags: TrustFlags, context: Context, place: string): Promise<Outcome> {
  const before = lookAtTrust(place, context.env);
  const decided = await decideTrust(context, before, 'revoke');
  if (!decided.ok) return fail(context, decided.error, flags.json);
  const done = revokeTrust(place, context.env);
  if (!done.ok) return fail(context, done.error, flags.json);
  tell(context, flags, done.value, before.trustedAt === null ? 'nothing' : 'revoked');
  return 'SUCCESS';
}

async function trusted(flags: TrustFlags, context: Context, place: string): Promise<Outcome> {
  const { yes, json } = flags;
  const seen = lookAtTrust(place, context.env);
  const { repository, trustedAt, surfaces } = seen;
  if (trustedAt !== null && surfaces.every(({ change }) => change === 'same')) {
    tell(context, flags, seen, 'nothing');
    return 'SUCCESS';
  }
  if (surfaces.length === 0 && !yes) {
    tell(context, flags, seen, 'nothing');
    return 'SUCCESS';
  }
  if (!json) printLines(context, surfaceLines(seen));
  const question = `Let agents use what ${oneLine(repository, 500)} brings?`;
  const may = await confirmed(context, { question, force: yes, json, flag: '--yes' });
  if (!may.ok) return fail(context, may.error, json);
  if (!may.value) {
    printLines(context, ['Nothing was changed']);
    return 'FAILURE';
  }
  const decided = await decideTrust(context, seen, 'trust');
  if (!decided.ok) return fail(context, decided.error, json);
  const done = trustRepository(place, context.env, new Date());
  if (!done.ok) return fail(context, done.error, json);
  tell(context, flags, done.value, 'trusted');
  return 'SUCCESS';
}

/** An agent would be trusting itself. */
function decideTrust({ caller }: Context, { repository }: Trust, what: 'trust' | 'revoke') {
  return decide(outsideProject(caller, repository), 'trust', `${what} ${repository}`);
}

type Did = 'shown' | 'trusted' | 'revoked' | 'nothing';

function tell(context: Context, { json }: TrustFlags, seen: Trust, did: Did): void {
  const { repository, trustedAt, surfaces, problem } = seen;
  if (json) {
    printJson(context, {
      repository,
      trusted: trustedAt !== null,
      trusted_at: trustedAt,
      did,
      surfaces: surfaces.map(({ path, cli, power, change }) => ({ path, cli, power, change })),
      problem,
    });
    return;
  }
  const name = oneLine(repository, 500);
  const state = trustedAt === null ? `${name} is not trusted` : `${name} is trusted since ${trustedAt}`;
  printLines(context, [
    ...(did === 'shown' ? surfaceLines(seen) : []),
    ...(problem === null ? [] : [oneLine(problem, 500)]),
    ...(did === 'nothing'
      ? [`Nothing to do: ${surfaces.length === 0 ? bringsNothing(name) : state}`]
      : [state]),
  ]);
}

function bringsNothing(name: string): string {
  return `${name} brings nothing for agent CLIs`;
}

const powers = {
  acts: 'can run programs or grant permissions',
  tells: 'text for the model',
} as const;
const changes = {
  same: '',
  changed: ', changed since you trusted it',
  new: ', new since you trusted it',
} as const;
const shown = 100;

function surfaceLines({ repository, surfaces }: Trust): readonly string[] {
  const name = oneLine(repository, 500);
  if (surfaces.length === 0) return [bringsNothing(name)];
  const width = Math.max(...surfaces.slice(0, shown).map(({ path }) => oneLine(path, 60).length));
  const rest = surfaces.length - shown;
  return [
    `${name} brings ${counted(surfaces.length, 'thing')} for agent CLIs:`,
    ...surfaces.slice(0, shown).map((surface) => surfaceLine(surface, width)),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function surfaceLine({ path, cli, power, change }: ShownSurface, width: number): string {
  const note = change === null ? '' : changes[change];
  return `  ${oneLine(path, 60).padEnd(width)}  ${cli.padEnd(8)}  ${powers[power]}${note}`;
}
