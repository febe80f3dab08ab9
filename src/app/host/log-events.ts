import { join } from 'node:path';
import type { DriverEvent, DriverReader } from '../../model/driver.ts';
import { OpenLog } from './open-log.ts';
import { LineCutter } from './line-cutter.ts';

/** What a log brings: an event, or that it begins again at byte 0 and everything read before is void. */
export type LogEventNews = DriverEvent | { readonly type: 'anew' };

/** The events of a session's log while the session writes it, each once. */
export class LogEvents implements Disposable {
  readonly #log: OpenLog;
  readonly #newReader: () => DriverReader;
  #lines = new LineCutter();
  #reader: DriverReader;

  constructor(sessionDir: string, newReader: () => DriverReader) {
    this.#log = new OpenLog(() => join(sessionDir, 'output.log'));
    this.#newReader = newReader;
    this.#reader = newReader();
  }

  /** Everything that was written since the last call. */
  *news(): Generator<LogEventNews> {
    for (const news of this.#log.news()) {
      if (news.kind === 'bytes') {
        for (const { text } of this.#lines.push(news.bytes, news.offset)) yield* this.#reader.line(text);
      } else {
        this.#lines = new LineCutter();
        this.#reader = this.#newReader();
        yield { type: 'anew' };
      }
    }
  }

  [Symbol.dispose](): void {
    this.#log[Symbol.dispose]();
  }
}
