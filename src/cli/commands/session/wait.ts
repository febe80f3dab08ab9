import { waitForSession } from '../../../app/session-control/wait.ts';
import { requiredSession } from '../../../app/sessions/find.ts';
import { whyNoRetry } from '../../../app/sessions/no-retry.ts';
import { reasonOf } from '../../../app/sessions/reason.ts';
import { elapsedMs, sessionRowJson } from '../../../app/sessions/session-row.ts';
import { accountOf, type TurnAccount } from '../../../app/sessions/turn-account.ts';
import type { Tutti } from '../../../app/tutti.ts';
import { formatDuration } from '../../../lib/duration.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import { gravestOf, type Outcome } from '../../../model/outcome.ts';
import type { Session } from '../../../model/session.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { sessionArgument } from '../../arguments.ts';
import { alsoContinues } from '../../also-continues.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { duration } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { outcomeMark } from '../../render/marks.ts';
import { painter } from '../../render/style.ts';
import { withSession } from '../../project.ts';

interface WaitFlags extends JsonFlag {
  readonly timeout?: number;
  readonly ok: boolean;
}

export const command = defineCommand<WaitFlags, string[]>({
  reads: false,
  parameters: {
    flags: {
      timeout: {
        kind: 'parsed',
        parse: duration,
        brief: 'Stop waiting after TIME, such as 10m',
        placeholder: 'TIME',
        optional: true,
      },
      ok: switchFlag('Exit with 0 if all succeeded, otherwise with 1'),
      json: jsonFlag,
    },
    positional: { kind: 'array', parameter: sessionArgument, minimum: 1 },
  },
  about: 'Exits with the code of the most serious outcome, or with 21 if the timeout comes first.',
  examples: [
    ['tutti session wait ID', 'wait without a timeout'],
    ['tutti session wait ID1 ID2 --timeout 10m', 'wait for both, at most ten minutes'],
    ['tutti session wait ID --ok && deploy', 'deploy only if it succeeded'],
  ],
  run: wait,
});

/** One after the other: who waits for all of them waits for the last. */
async function wait(flags: WaitFlags, context: Context, ...names: readonly string[]): Promise<Outcome> {
  const { json } = flags;
  const [first = ''] = names;
  return withSession(context, { json, detach: true }, first, async (tutti) => {
    const ids: string[] = [];
    for (const name of names) {
      const found = await requiredSession(tutti, name);
      if (!found.ok) return fail(context, found.error, json);
      ids.push(found.value.id);
    }
    const { clock } = tutti;
    const end = flags.timeout === undefined ? null : clock.monotonic() + flags.timeout;
    const outcomes: Outcome[] = [];
    for (const id of ids) {
      const left = end === null ? null : Math.max(0, end - clock.monotonic());
      const waited = await waitForSession(tutti, id, left);
      if (!waited.ok) {
        outcomes.push(fail(context, waited.error, json));
        continue;
      }
      const session = waited.value;
      outcomes.push(session.outcome ?? 'FAILURE');
      const account = await accountOf(tutti, session);
      if (json) printJson(context, { ...waitJson(id, session, account), ...alsoContinues(tutti) });
      else
        printLines(context, linesOf(context, session, (await reasonsOf(tutti, session)) ?? wordsOf(account)));
    }
    const gravest = gravestOf(outcomes);
    return flags.ok && gravest !== 'SUCCESS' ? 'FAILURE' : gravest;
  });
}

function waitJson(waitedFor: string, session: Session, account: TurnAccount | null): Output<'session-wait'> {
  return {
    waited_for: waitedFor,
    ...sessionRowJson(session),
    summary: account?.summary ?? null,
    tool_calls: account?.toolCalls ?? null,
  };
}

/** What the agent says of its work, and that nothing shows it where it used no tool. */
function wordsOf(account: TurnAccount | null): string | null {
  if (account === null) return null;
  const { summary, toolCalls } = account;
  if (toolCalls !== 0) return summary;
  return summary === null ? 'no tool was used' : `${oneLine(summary, 460)} (no tool was used)`;
}

/** Why it did not succeed, and why it was not tried once more. */
async function reasonsOf(tutti: Tutti, session: Session): Promise<string | null> {
  const [reason, noRetry] = [await reasonOf(tutti, session), await whyNoRetry(tutti, session)];
  if (noRetry === null) return reason;
  return `${reason === null ? '' : `${reason}; `}no retry: ${noRetry}`;
}

/** In a pipe one line a session, the id first. */
function linesOf({ screen }: Context, session: Session, reason: string | null): string[] {
  const { id, status, outcome, lost, exitCode } = session;
  const took = formatDuration(elapsedMs(session, session.endedAt ?? session.createdAt));
  const [glyph, tone] = outcomeMark(outcome, status);
  const code = exitCode === null || exitCode === 0 ? '' : `, exit code ${exitCode}`;
  const why = reason === null ? '' : `: ${oneLine(reason, 500)}`;
  const line = `${id}  ${status}  ${lost ? 'lost' : (outcome ?? 'FAILURE')} after ${took}${code}${why}`;
  if (!screen.isTerminal) return [line];
  const more = outcome === 'SUCCESS' ? [] : [`  → read what it said: tutti session logs ${id}`];
  return [`${painter(screen.colour)(tone, glyph)} ${line}`, ...more];
}
