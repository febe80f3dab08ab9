/** Rings once for everything that may have changed since the loop last looked. */
export class Bell {
  /** Changes between the claim and the first wait rang for no loop: the loop looks for news first. */
  #state: { readonly at: 'rung' | 'silent' } | { readonly at: 'awaited'; readonly hear: () => void } = {
    at: 'rung',
  };

  ring(): void {
    const before = this.#state;
    this.#state = { at: 'rung' };
    if (before.at === 'awaited') before.hear();
  }

  silence(): void {
    this.#state = { at: 'silent' };
  }

  async heard(): Promise<void> {
    if (this.#state.at !== 'rung') {
      await new Promise<void>((hear) => {
        this.#state = { at: 'awaited', hear };
      });
    }
    this.silence();
  }
}
