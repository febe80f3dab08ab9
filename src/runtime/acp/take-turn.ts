import { closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { formatDuration } from '../../lib/duration.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { AcpEnd, AcpSpec } from '../../model/acp.ts';
import { AgentProcess } from './agent-process.ts';
import { Conversation } from './conversation.ts';
import { Ended, Peer } from './peer.ts';
import { Retries } from './retries.ts';
import { tell } from './tell.ts';
import { troubleOf } from './trouble.ts';

/** From the wish to stop to the end of the agent's tree; those who end us wait three seconds in all. */
const cancelMs = 1200;

/** Starts the agent, takes one turn with it, and leaves nobody behind. */
export async function takeTurn(spec: AcpSpec): Promise<AcpEnd> {
  const conversation = new Conversation(spec, tell, hearNoMore);
  let over: (reason: Ended) => void = () => undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    over = reject;
  });
  const retries = new Retries(spec.complaint);
  const agent = new AgentProcess(spec.argv, spec.workspace, {
    onGone: (why) => {
      over(why);
    },
    onComplaint: (text) => {
      for (const reason of retries.hear(text, performance.now(), peer.heardAt)) {
        tell({ type: 'retrying', reason: oneLine(reason, 500) });
      }
    },
  });
  const peer = new Peer(agent.output, agent.input, conversation);
  listen(conversation);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      conversation.cancel(peer);
      void pause(cancelMs).then(() => {
        over(new Ended('cancelled', `it was ended by ${signal}`));
      });
    });
  }
  const isOverdue = (now: number): boolean => retries.overdue(now, peer.heardAt, spec.quietMs);
  const clock = watchQuiet({ peer, conversation, quietMs: spec.quietMs, isOverdue }, (quiet) => {
    const why =
      quiet === 'silent'
        ? `the agent has said nothing for ${formatDuration(spec.quietMs)} (quiet_timeout)${agent.words()}`
        : `the agent tries again and again without an answer of its model: ${oneLine(retries.why, 700)}`;
    over(new Ended('quiet', why));
  });
  try {
    return await Promise.race([conversation.run(peer), interrupted]);
  } catch (error) {
    conversation.flush();
    const { end, events } = troubleOf(error, Date.now());
    for (const event of events) tell(event);
    return end;
  } finally {
    clearInterval(clock);
    hearNoMore();
    await agent.end();
  }
}

interface Watched {
  readonly peer: Peer;
  readonly conversation: Conversation;
  readonly quietMs: number;
  /** It has tried again for too long. */
  readonly isOverdue: (now: number) => boolean;
}

/** An agent that says nothing for ever is not at work: one of them waits so for a key that is refused. */
function watchQuiet(
  { peer, conversation, quietMs, isOverdue }: Watched,
  over: (quiet: 'silent' | 'retrying') => void,
): NodeJS.Timeout {
  return setInterval(
    () => {
      const now = performance.now();
      if (conversation.excused) peer.heardAt = now;
      else if (now - peer.heardAt > quietMs) over('silent');
      else if (isOverdue(now)) over('retrying');
    },
    Math.max(Math.min(quietMs / 4, 1000), 10),
  );
}

/** Whoever says something from now on is told that nobody hears it. Node itself leaves this descriptor open. */
function hearNoMore(): void {
  process.stdin.destroy();
  try {
    closeSync(0);
  } catch {
    // Closed before.
  }
}

/** Each line of the standard input is said to the agent, or answers a question. */
function listen(conversation: Conversation): void {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) conversation.say(line);
  });
  process.stdin.on('end', () => {
    conversation.mute();
  });
  process.stdin.on('error', () => undefined);
}
