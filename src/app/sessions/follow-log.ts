import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import { type LogNews, OpenLog } from '../host/open-log.ts';
import { LineCutter, type LogLine } from '../host/line-cutter.ts';

/** Whoever reads what is told. */
export interface Reader {
  /** Nobody looks any more. */
  readonly isLeft: () => boolean;
  /** When they can take more. */
  readonly ready: () => Promise<void>;
}

export interface Following extends Reader {
  /** Nothing more will be written. Asked before each look, so that the last words are read too. */
  readonly isOver: () => boolean | Promise<boolean>;
  /** Waiting for more keeps no process alive that has nothing else to do. */
  readonly isIdle?: boolean;
}

export interface LineListener {
  line(line: LogLine): void | Promise<void>;
  /** Another log took its place; what was made of the first is the past. */
  anew(): void;
  /** Everything that is there now has been told. */
  caughtUp(): void;
}

/** A watch on the file may miss what happens to it; asking for its size costs next to nothing. */
const lookEveryMs = 200;

/** For what is there now. */
export function once(reader: Reader): Following {
  return { ...reader, isOver: () => true };
}

/** Where the log is now; null: nowhere. It may be moved to the archive while it is read. */
export type LogPlace = () => string | null | Promise<string | null>;

/** The bytes of a log from the first one on, until it is over and everything was read. */
export async function followBytes(
  path: LogPlace,
  listener: { news(news: LogNews): void | Promise<void>; caughtUp(isLast: boolean): void | Promise<void> },
  { isOver, isLeft, ready, isIdle = false }: Following,
): Promise<void> {
  let place: string | null = null;
  using log = new OpenLog(() => place);
  for (;;) {
    const over = await isOver();
    place = await path();
    for (const news of log.news()) {
      await listener.news(news);
      // Others want to be heard between two pieces of a large log: keys, and that the reader of ours went away.
      await breathe();
      await ready();
      if (isLeft()) return;
    }
    await listener.caughtUp(over);
    if (over || isLeft()) return;
    await pause(lookEveryMs, undefined, { ref: !isIdle });
  }
}

/** The same in lines. A torn last line is held back, and told when nothing more can come. */
export async function followLog(path: LogPlace, listener: LineListener, following: Following): Promise<void> {
  let cutter = new LineCutter();
  const tell = async (lines: Iterable<LogLine>): Promise<void> => {
    for (const line of lines) {
      const told = listener.line(line);
      // Most lines wait for nothing.
      if (told !== undefined) await told;
    }
  };
  await followBytes(
    path,
    {
      news: async (news) => {
        if (news.kind === 'bytes') {
          await tell(cutter.push(news.bytes, news.offset));
          return;
        }
        await tell(cutter.rest());
        cutter = new LineCutter();
        listener.anew();
      },
      caughtUp: async (isLast) => {
        if (isLast) await tell(cutter.rest());
        listener.caughtUp();
      },
    },
    following,
  );
}
