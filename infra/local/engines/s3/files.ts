import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The folder of object bytes. Files are named by uuid, never by key, and once complete never change. */
export class ObjectFiles {
  readonly #folder: string;

  /** @param known files that objects have; others are leftovers of a crash and are removed */
  constructor(directory: string, known: ReadonlySet<string>) {
    this.#folder = join(directory, 'objects');
    mkdirSync(this.#folder, { recursive: true });
    for (const file of readdirSync(this.#folder)) if (!known.has(file)) this.discard(file);
  }

  /** Writes pieces to a file and answers it, and its size, once it is complete. Nothing is left behind on failure. */
  async receive(pieces: AsyncIterable<Uint8Array>): Promise<{ file: string; size: number }> {
    const file = crypto.randomUUID();
    const out = createWriteStream(join(this.#folder, file));
    try {
      await pipeline(pieces, out);
      return { file, size: out.bytesWritten };
    } catch (error) {
      // Removed before it is closed, it could come into being afterwards.
      if (!out.closed) await once(out, 'close');
      this.discard(file);
      throw error;
    }
  }

  /** Streams bytes `first` to `last`, both included. Opened at once: a download outlives its object. */
  read(file: string, first: number, last: number): Readable {
    if (last < first) return Readable.from([]);
    const path = join(this.#folder, file);
    return createReadStream(path, { fd: openSync(path, 'r'), start: first, end: last });
  }

  /** Removes a file that no object has any more; what cannot be removed now is at the next start. */
  discard(file: string): void {
    try {
      rmSync(join(this.#folder, file), { force: true });
    } catch {
      // Windows may hold on to a file that is being read.
    }
  }
}
