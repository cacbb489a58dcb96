import { Signal } from '../signal.ts';
import type { Storage } from '../storage.ts';

/** A stored event: an increasing number, and the `Detail` as received. */
export interface KeptEvent {
  id: number;
  detail: string;
}

const RETENTION_MS = 24 * 60 * 60 * 1000;
const KEPT_COUNT = 100_000;
const TRIM = `DELETE FROM event WHERE id <=
    (SELECT coalesce(max(id), 0) FROM event) - ${KEPT_COUNT}
  OR id < coalesce((SELECT id FROM event WHERE at >= ? ORDER BY id LIMIT 1), 9223372036854775807)`;

/** The events of the last 24 hours in the order of arrival, at most the last 100,000. */
export class Feed {
  readonly #storage: Storage;
  /** A signal after new events. */
  readonly signal = new Signal();

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#trim();
  }

  append(details: readonly string[]): void {
    const now = this.#storage.now();
    this.#storage.transaction(() => {
      for (const detail of details)
        this.#storage.run('INSERT INTO event (at, detail) VALUES (?, ?)', now, detail);
    });
    this.#trim();
    this.signal.send();
  }

  /** Returns the events after the one with that number, oldest first. */
  after(id: number, limit: number): KeptEvent[] {
    const select = 'SELECT id, detail FROM event WHERE id > ? ORDER BY id LIMIT ?';
    return this.#storage.all<KeptEvent>(select, id, limit);
  }

  /** Returns the number of the last event; 0 if there is none. */
  get last(): number {
    return (
      this.#storage.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'event'")?.seq ?? 0
    );
  }

  #trim(): void {
    this.#storage.run(TRIM, this.#storage.now() - RETENTION_MS);
  }
}
