import type { Storage } from './storage.ts';

/** The positions of stream readers. The engines store them, as Lambda does for its event source mappings. */
export class Positions {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Returns the number of the last processed change; 0 if there is none. */
  of(stream: string): number {
    const select = 'SELECT seq FROM position WHERE stream = ?';
    return this.#storage.get<{ seq: number }>(select, stream)?.seq ?? 0;
  }

  move(stream: string, seq: number): void {
    this.#storage.run('INSERT OR REPLACE INTO position (stream, seq) VALUES (?, ?)', stream, seq);
  }
}
