/** What a person wants of a run: `halt` launches nothing new, `stop` ends everything too. */
export type StopWish = 'halt' | 'stop';

/**
 * Wishes to stop that the database may not know, because it could not be written when a person had them. They win over what
 * the database says: nothing of such a run is launched.
 */
export interface StopWishes {
  of(runId: string): StopWish | null;
  /** Writes the wish to the first place that accepts it. Rejects unless that is the database, which then knows it. */
  record(runId: string): Promise<void>;
  /** Calls back when a person of this process has a wish. */
  subscribe(callback: () => void): Disposable;
  /** Called with every sign of life of a run's holder: why it could not be written, or null. */
  sawHolder(runId: string, trouble: Error | null): void;
}
