import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkTrustable, type DescribedTrust, describeTrust, type Seen } from '../../app/consent/describe.ts';
import { giveTrust, takeTrustBack } from '../../app/consent/give-trust.ts';
import { suggestedCommands } from '../../app/discovery/discover.ts';
import { openToRead } from '../../app/opened-project.ts';
import { findProject } from '../../app/project.ts';
import { refusal } from '../../app/refusal.ts';
import { findNearFlow } from '../../app/runs/near-flow.ts';
import { findUnderWay, type UnderWay } from '../../app/status/under-way.ts';
import { ownerOf } from '../../app/trust/named-file.ts';
import { isAllTrusted } from '../../app/trust/trust.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { cutText, visibleLine } from '../../lib/visible-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import { confirmed } from '../confirm.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { bringsNothing, trustLines } from '../render/trust-lines.ts';
import { adoptState } from './trust-state.ts';

interface TrustFlags extends JsonFlag {
  readonly show: boolean;
  readonly revoke: boolean;
  readonly state: boolean;
  readonly yes: boolean;
}

export const command = defineCommand<TrustFlags, [folder?: string]>({
  reads: false,
  parameters: {
    flags: {
      show: switchFlag("Only list the repository's settings and commands; exit with 1 if one is not trusted"),
      revoke: switchFlag('Revoke the trust'),
      state: switchFlag('Use a .tutti/ from another machine or path, after you review its runs'),
      yes: switchFlag('Do not ask'),
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'Repository, or a flow file in it; default: the current repository',
          placeholder: 'PATH',
          optional: true,
        },
      ],
    },
  },
  about:
    'Tutti runs nothing from a clone until you trust it. Trust covers the current content of tutti.yaml,\n' +
    "flows, agents, skills, agent CLI settings and the repository's own commands (install, test, lint).\n" +
    'When one of them changes, Tutti asks again. Until then, tutti.yaml can only tighten the limits in\n' +
    'your own configuration. Trust applies to the repository and all its worktrees, not to a copy, and is\n' +
    'recorded outside the repository.',
  examples: [
    ['tutti trust', 'list the settings and commands, then ask'],
    ['tutti trust --show', 'only list them, with the changes since you last agreed'],
    ['tutti trust flow.yaml', 'include a flow outside flows/'],
    ['tutti trust --yes', 'trust without asking, in a script'],
    ['tutti trust --revoke', 'revoke the trust'],
    ['tutti trust --state', 'use a .tutti/ that was moved, copied or restored'],
  ],
  run: trust,
});

async function trust(flags: TrustFlags, context: Context, folder = '.'): Promise<Outcome> {
  const { show, revoke, json } = flags;
  const path = resolve(context.folder, folder);
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) {
    const near = findNearFlow(folder, context.folder);
    const message = `${folder} does not exist${near === null ? '' : `; did you mean '${near}'?`}`;
    const hint = near === null ? 'give a directory, or the file of a flow' : `tutti trust ${shellWord(near)}`;
    return fail(context, refusal('USAGE', message, hint), json);
  }
  if ([show, revoke, flags.state].filter(Boolean).length > 1) {
    const message = 'only one of --show, --revoke and --state';
    return fail(context, refusal('USAGE', message, 'see: tutti trust --help'), json);
  }
  const isFile = !facts.isDirectory();
  if (isFile && (revoke || flags.state)) {
    const flag = revoke ? '--revoke' : '--state';
    return fail(context, refusal('USAGE', `${flag} is for a directory`, 'see: tutti trust --help'), json);
  }
  const owner = isFile ? ownerOf(path, findProject(context.folder)) : path;
  if (owner === null) {
    const message = `${folder} belongs to no repository and no project, so it is used without being trusted`;
    return fail(context, refusal('USAGE', message, 'look at it yourself, then use it'), json);
  }
  const trustable = isFile ? checkTrustable({ path, name: folder }, owner, context.env) : null;
  if (trustable?.ok === false) return fail(context, trustable.error, json);
  const place = { folder: owner, files: isFile ? [path] : [] };
  if (show) {
    const { trust: seen } = look(context, place);
    tell(context, flags, seen, 'shown');
    return counts(seen) ? 'SUCCESS' : 'FAILURE';
  }
  if (flags.state) return adoptState(flags, context, owner);
  return revoke ? revoked(flags, context, place) : trusted(flags, context, place);
}

/** A repository, and a file that the person named in it. */
type Place = Pick<Seen, 'folder' | 'files'>;

function look({ env }: Context, { folder, files }: Place): Seen {
  const commands = suggestedCommands(folder);
  return { folder, files, commands, trust: describeTrust(folder, env, { files, commands }) };
}

async function revoked(flags: TrustFlags, context: Context, place: Place): Promise<Outcome> {
  const seen = look(context, place);
  const done = await takeTrustBack(context, seen);
  if (!done.ok) return fail(context, done.error, flags.json);
  const before = seen.trust;
  const hadAny = [...before.surfaces, ...before.commands].some(({ change }) => change !== null);
  const did = before.trustedAt === null && !hadAny ? 'nothing' : 'revoked';
  const underWay = await runsUnderWay(context, place);
  tell(context, flags, look(context, place).trust, did, underWay);
  if (!flags.json) printLines(context, underWay.flatMap(underWayLines));
  return 'SUCCESS';
}

/** Runs of the project that work with what was trusted when they began; none where it has no state to look at. */
async function runsUnderWay({ env, caller }: Context, { folder }: Place): Promise<readonly UnderWay[]> {
  const opened = await openToRead({ folder, env, caller });
  if (!opened.ok || opened.value === null) return [];
  using project = opened.value;
  return await findUnderWay(project);
}

function underWayLines({ runId, pid, stop }: UnderWay): readonly string[] {
  const how =
    pid === null
      ? 'what it started works on, and no process advances it'
      : `process ${pid} keeps the settings and agents that it has read`;
  return [
    `run ${runId} is under way: ${how}`,
    `  → stop it: ${stop}; what continues it after that asks for trust`,
  ];
}

async function trusted(flags: TrustFlags, context: Context, place: Place): Promise<Outcome> {
  const { yes, json } = flags;
  const looked = look(context, place);
  const { trust: seen } = looked;
  const { checkout, trustedAt, surfaces, commands } = seen;
  const isEmpty = surfaces.length + commands.length === 0;
  if ((trustedAt !== null && isAllTrusted(seen)) || (isEmpty && !yes)) {
    tell(context, flags, seen, 'nothing');
    return 'SUCCESS';
  }
  if (!json) printLines(context, trustLines(seen, 'news'));
  const question = `Let Tutti and agents use what ${cutText(checkout, 500, visibleLine)} brings?`;
  const may = await confirmed(context, { question, force: yes, json, flag: '--yes' });
  if (!may.ok) return fail(context, may.error, json);
  if (!may.value) {
    printLines(context, ['Nothing was changed']);
    return 'FAILURE';
  }
  const given = await giveTrust(context, looked);
  if (!given.ok) return fail(context, given.error, json);
  tell(context, flags, given.value, 'trusted');
  return 'SUCCESS';
}

/** Whether everything that the repository brings counts: a person trusted it, or had Tutti write it. */
function counts(seen: DescribedTrust): boolean {
  const brings = seen.surfaces.length + seen.commands.length > 0;
  return isAllTrusted(seen) && (seen.trustedAt !== null || brings);
}

function stateLine(name: string, seen: DescribedTrust): string {
  if (seen.trustedAt !== null) return `${name} is trusted since ${seen.trustedAt}${exceptions(seen)}`;
  if (counts(seen)) return `${name} is trusted as it is: Tutti wrote what it brings for you`;
  const written = seen.surfaces.filter(({ change }) => change === 'same').map(({ path }) => path);
  if (written.length === 0) return `${name} is not trusted`;
  return `${name} is not trusted, except what Tutti wrote for you: ${oneLine(written.join(', '), 300)}`;
}

/** What was added or has changed since then. */
function exceptions({ surfaces, commands }: DescribedTrust): string {
  const news = [
    ...surfaces.filter(({ change }) => change !== 'same').map(({ path }) => path),
    ...commands.filter(({ change }) => change !== 'same').map((seen) => `\`${seen.command}\``),
  ];
  return news.length === 0 ? '' : `, except what is new or has changed: ${oneLine(news.join(', '), 300)}`;
}

type Did = 'shown' | 'trusted' | 'revoked' | 'nothing';

function tell(
  context: Context,
  { json }: TrustFlags,
  seen: DescribedTrust,
  did: Did,
  underWay?: readonly UnderWay[],
): void {
  const { repository, trustedAt, surfaces, commands, problem } = seen;
  if (json) {
    printJson<Output<'trust'>>(context, {
      repository,
      trusted: counts(seen),
      trusted_at: trustedAt,
      did,
      surfaces: surfaces.map(({ path, cli, power, change, members }) => ({
        path,
        cli,
        power,
        change,
        members,
      })),
      commands: commands.map((each) => ({ command: each.command, change: each.change })),
      problem,
      ...(underWay === undefined
        ? {}
        : { under_way: underWay.map(({ runId, pid }) => ({ run_id: runId, pid })) }),
    });
    return;
  }
  const name = cutText(repository, 500, visibleLine);
  const state = stateLine(name, seen);
  const isEmpty = surfaces.length + commands.length === 0;
  printLines(context, [
    ...(did === 'shown' ? trustLines(seen, 'all') : []),
    ...(problem === null ? [] : [oneLine(problem, 500)]),
    ...(did === 'nothing' ? [`Nothing to do: ${isEmpty ? bringsNothing(name) : state}`] : [state]),
  ]);
}
