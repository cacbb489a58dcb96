import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** One immutable file of an object's bytes. An object is a list of them, so that parts need no copying. */
export interface Segment {
  file: string;
  size: number;
}

/**
 * The folder of object bytes. Files are named by uuid, never by key, are complete before they appear, and
 * never change. A file is unlinked only when no download reads it any more.
 */
export class ObjectFiles {
  readonly #folder: string;
  readonly #incoming: string;
  readonly #readers = new Map<string, number>();
  readonly #trash = new Set<string>();

  /** @param isKnown whether an object has that file; others are leftovers of a crash and are removed */
  constructor(directory: string, isKnown: (file: string) => boolean) {
    this.#folder = join(directory, 'objects');
    this.#incoming = join(directory, 'incoming');
    rmSync(this.#incoming, { recursive: true, force: true });
    mkdirSync(this.#incoming, { recursive: true });
    mkdirSync(this.#folder, { recursive: true });
    for (const file of readdirSync(this.#folder)) {
      if (!isKnown(file)) rmSync(join(this.#folder, file), { force: true });
    }
  }

  /** Writes pieces to a file and answers it once it is complete. Nothing is left behind on failure. */
  async receive(pieces: AsyncIterable<Uint8Array>): Promise<Segment> {
    const file = crypto.randomUUID();
    const path = join(this.#incoming, file);
    const out = createWriteStream(path);
    let size = 0;
    try {
      const done = finished(out);
      done.catch(() => {});
      for await (const piece of pieces) {
        size += piece.byteLength;
        if (!out.write(piece)) await Promise.race([once(out, 'drain'), done]);
      }
      out.end();
      await done;
      renameSync(path, join(this.#folder, file));
      return { file, size };
    } catch (error) {
      out.destroy();
      if (!out.closed) await once(out, 'close');
      rmSync(path, { force: true });
      throw error;
    }
  }

  /** Streams bytes `start` to `end` (inclusive) of the segments in their order. */
  read(segments: readonly Segment[], start: number, end: number): Readable {
    // Held until the stream ends: a later segment is opened late, when its object may have been replaced.
    for (const { file } of segments) this.#readers.set(file, (this.#readers.get(file) ?? 0) + 1);
    const stream = Readable.from(this.#pieces(segments, start, end), { objectMode: false });
    stream.once('close', () => this.#release(segments));
    return stream;
  }

  async *#pieces(segments: readonly Segment[], start: number, end: number): AsyncGenerator<Uint8Array> {
    let offset = 0;
    for (const { file, size } of segments) {
      const from = Math.max(start - offset, 0);
      const to = Math.min(end - offset, size - 1);
      offset += size;
      if (from <= to) yield* createReadStream(join(this.#folder, file), { start: from, end: to });
    }
  }

  /** Removes files that no object has any more, now or when their last download ends. */
  discard(segments: readonly Segment[]): void {
    for (const { file } of segments) {
      if (this.#readers.has(file)) this.#trash.add(file);
      else rmSync(join(this.#folder, file), { force: true });
    }
  }

  #release(segments: readonly Segment[]): void {
    for (const { file } of segments) {
      const left = (this.#readers.get(file) ?? 1) - 1;
      if (left > 0) {
        this.#readers.set(file, left);
        continue;
      }
      this.#readers.delete(file);
      if (this.#trash.delete(file)) rmSync(join(this.#folder, file), { force: true });
    }
  }
}
