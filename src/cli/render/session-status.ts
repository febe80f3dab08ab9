import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { formatDuration } from '../../lib/duration.ts';
import { firstFew } from '../../lib/first-few.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { stepIdOf } from '../../model/key.ts';
import { exitCodeOf } from '../../model/outcome.ts';
import { activityWords } from '../../app/sessions/activity.ts';
import { describePutAside } from '../../app/host/shown-put-aside.ts';
import type { SessionView } from '../../app/sessions/status.ts';
import { secondOf, toneOf } from './session-table.ts';
import type { Paint, Tone } from './style.ts';

export interface StatusParams {
  readonly tmuxActive: boolean;
  /** Why it did not succeed. */
  readonly reason: string | null;
  /** By what each limit is held. */
  readonly limits: Readonly<Record<string, string | null>>;
  /** Where the person stands. */
  readonly from: string;
  readonly paint: Paint;
}

const mostPids = 20;

type Line = readonly [name: string, value: string | null, tone?: Tone];

/** When the process of a lost session vanished is not known. */
function elapsedText({ session, elapsedMs }: SessionView): string {
  const elapsed = formatDuration(elapsedMs);
  return session.lost ? `unknown; last heard of after ${elapsed}` : elapsed;
}

/** The document's lines in its order, then what it does not know of; what there is nothing to say about is left out. */
export function statusLines(view: SessionView, params: StatusParams): string[] {
  const { session } = view;
  const isOwn = session.runId === session.id;
  const lines: readonly Line[] = [
    ['Session', session.id],
    ['Agent', session.agent],
    [
      'Status',
      session.lost ? `${session.status} (lost)` : session.status,
      toneOf(session.status, view.activity),
    ],
    ['Activity', activityText(view)],
    ['Created', secondOf(session.createdAt)],
    ['Started', session.startedAt === null ? null : secondOf(session.startedAt)],
    ['Ended', session.endedAt === null ? null : secondOf(session.endedAt)],
    ['Elapsed', elapsedText(view)],
    ['Outcome', outcomeText(view)],
    ['Why', params.reason],
    ['Left behind', leftText(view)],
    ['Put aside', view.putAside.length === 0 ? null : describePutAside(view.putAside)],
    ['Exit code', session.exitCode === null ? null : String(session.exitCode)],
    ['Summary', view.account?.summary ?? null],
    ['Tools', toolsText(view)],
    ['Tmux', view.tmuxName === null ? null : `${view.tmuxName} (${params.tmuxActive ? 'active' : 'gone'})`],
    ['Workspace', workspaceText(view, params.from)],
    ['Display', session.host],
    ['Driver', session.driver],
    ['Limits', limitsText(params.limits)],
    [session.status === 'CREATED' ? 'Waits for' : 'After', listed(view.after)],
    ['Retried as', view.retriedAs],
    ['Question', questionText(view)],
    ['No retry', view.noRetry],
    ['Continues', session.continues],
    ['Conversation', view.conversation?.id ?? null],
    ['Resume', resumeText(view, params.from)],
    ['Tags', listed(session.tags)],
    ['Parent', session.parent],
    ['Requester', session.requester],
    ['Run', isOwn ? null : session.runId],
    ['Task', isOwn ? null : stepIdOf(session.key)],
  ];
  return lines.flatMap(([name, value, tone = 'plain']) =>
    value === null ? [] : [`${name}: ${params.paint(tone, oneLine(value, 2000))}`],
  );
}

/** An ended session whose processes go on cannot be archived. */
function leftText({ leftProcesses, session }: SessionView): string | null {
  if (leftProcesses.length === 0) return null;
  const pids = `${leftProcesses.length === 1 ? 'process' : 'processes'} ${firstFew(leftProcesses.map(String), mostPids)}`;
  return `${pids} → tutti session kill ${session.id}`;
}

/** A success that touched nothing is worth a second look. */
function toolsText({ account }: SessionView): string | null {
  const used = account?.toolCalls ?? null;
  if (account === null || used === null) return null;
  const { deniedCalls } = account;
  if (deniedCalls > 0) return `${used + deniedCalls} tried, ${deniedCalls} denied`;
  return used === 0 ? 'none was used' : `${used} used`;
}

function questionText({ question }: SessionView): string | null {
  return question === null ? null : `${question.text} → ${question.answer}`;
}

/** What to paste into a shell: a CLI looks for its conversations in the folder where it works. */
function resumeText({ conversation, spec }: SessionView, from: string): string | null {
  const resume = conversation?.resume ?? null;
  if (resume === null) return null;
  if (spec !== null && !existsSync(spec.workspace))
    return `not possible: the directory of its conversation, ${spec.workspace}, is gone`;
  const folder = spec === null || spec.workspace === from ? '' : `cd ${shellWord(spec.workspace)} && `;
  return `${folder}${resume.map(shellWord).join(' ')}`;
}

function activityText({ activity }: SessionView): string | null {
  if (activity.at === 'finished') return null;
  const words = activityWords(activity);
  const detail = words.activity_detail === null ? '' : `: ${words.activity_detail}`;
  return `${words.activity.replace('_', '-')}${detail}`;
}

function outcomeText({ session: { outcome, lost } }: SessionView): string | null {
  return outcome === null || lost ? null : `${outcome} (${exitCodeOf(outcome)})`;
}

function workspaceText({ folder, session: { prunedAt } }: SessionView, from: string): string {
  if (folder !== null) return `${relative(from, folder)}/`;
  return prunedAt === null ? 'pruned' : `pruned at ${secondOf(prunedAt)}`;
}

function limitsText(limits: StatusParams['limits']): string | null {
  return listed(
    Object.entries(limits).flatMap(([name, by]) => {
      if (by === null) return [];
      const what = name.replaceAll('_', ' ');
      return [by === 'none' ? `${what} not held` : `${what} by ${by}`];
    }),
  );
}

function listed(parts: readonly string[]): string | null {
  return parts.length === 0 ? null : parts.join(', ');
}
