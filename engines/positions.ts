import type { Storage } from './storage.ts';

/** How far readers of streams have come; the engines keep it, as Lambda does for its event source mappings. */
export class Positions {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The number of the last change that was dealt with; 0: none was. */
  of(stream: string): number {
    const select = 'SELECT seq FROM position WHERE stream = ?';
    return this.#storage.get<{ seq: number }>(select, stream)?.seq ?? 0;
  }

  move(stream: string, seq: number): void {
    this.#storage.run('INSERT OR REPLACE INTO position (stream, seq) VALUES (?, ?)', stream, seq);
  }
}
