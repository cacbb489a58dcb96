import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file and its size in bytes: a whole object, or one part of it. */
export interface Segment {
  file: string;
  size: number;
}

/** The bytes from `start` to `end` of a file, inclusive. */
interface Slice {
  file: string;
  start: number;
  end: number;
}

/** The end of the name of a file that is not complete. */
const INCOMPLETE = '.incomplete';

/** The folder for complete files that no object names. */
const UNNAMED = 'unnamed';

/** The folder of object bytes. The name of a file is a UUID and never a key. A complete file never changes. */
export class ObjectFiles {
  readonly #folder: string;
  /** Number of downloads that read each file. */
  readonly #readers = new Map<string, number>();
  readonly #unwanted = new Set<string>();

  /**
   * Removes incomplete files, which are leftovers of a crash. It moves other files of no object to the folder
   * `unnamed`: a database from another backup may name them.
   *
   * @param known files of objects and parts
   * @throws Error with a sentence, if none of the known files is there
   */
  constructor(directory: string, known: ReadonlySet<string>) {
    this.#folder = join(directory, 'objects');
    mkdirSync(this.#folder, { recursive: true });
    const present = readdirSync(this.#folder);
    if (known.size > 0 && !present.some((file) => known.has(file)))
      throw new Error(
        `The data folder ${directory} has lost its objects: engines.sqlite names ${known.size} of their files, and the folder objects has none of them. Restore the folder objects from the backup of engines.sqlite, or delete the data folder.`,
      );
    for (const file of present) {
      if (file.endsWith(INCOMPLETE)) this.discard(file);
      else if (!known.has(file)) {
        mkdirSync(join(directory, UNNAMED), { recursive: true });
        renameSync(join(this.#folder, file), join(directory, UNNAMED, file));
      }
    }
  }

  /**
   * Writes chunks to a file. Returns the file and its size when it is complete. After a failure, it removes the file.
   */
  async receive(pieces: AsyncIterable<Uint8Array>): Promise<Segment> {
    const file = crypto.randomUUID();
    const out = createWriteStream(join(this.#folder, file + INCOMPLETE));
    try {
      await pipeline(pieces, out);
      this.#complete(file);
      return { file, size: out.bytesWritten };
    } catch (error) {
      // A file that is removed before it is closed could reappear.
      if (!out.closed) await once(out, 'close');
      this.discard(file + INCOMPLETE);
      throw error;
    }
  }

  #complete(file: string): void {
    renameSync(join(this.#folder, file + INCOMPLETE), join(this.#folder, file));
  }

  /** Streams bytes `first` to `last`, inclusive, of consecutive segments. A download can outlast its object. */
  read(segments: readonly Segment[], first: number, last: number): Readable {
    const slices = slicesOf(segments, first, last);
    for (const { file } of slices) this.#hold(file);
    const stream = Readable.from(this.#pieces(slices), { objectMode: false });
    return stream.once('close', () => {
      for (const { file } of slices) this.#release(file);
    });
  }

  /** Creates a hard link to each file of the segments, or copies the file if the file system has no links. */
  async duplicate(segments: readonly Segment[]): Promise<Segment[]> {
    const made: Segment[] = [];
    for (const { file } of segments) this.#hold(file);
    try {
      for (const { file, size } of segments) {
        const copy = { file: crypto.randomUUID(), size };
        made.push(copy);
        const from = join(this.#folder, file);
        const to = join(this.#folder, copy.file);
        try {
          linkSync(from, to);
        } catch {
          await copyFile(from, to + INCOMPLETE);
          this.#complete(copy.file);
        }
      }
      return made;
    } catch (error) {
      for (const { file } of made) this.discard(file);
      throw error;
    } finally {
      for (const { file } of segments) this.#release(file);
    }
  }

  /** Removes a file of no object after its last reader. If the removal fails, the next start moves the file away. */
  discard(file: string): void {
    if (this.#readers.has(file)) {
      this.#unwanted.add(file);
      return;
    }
    try {
      rmSync(join(this.#folder, file), { force: true });
    } catch {
      // Windows can lock a file while a process reads it.
    }
  }

  /** Opens one file at a time. @throws Error with a sentence, if a file is lost */
  async *#pieces(slices: readonly Slice[]): AsyncGenerator<Buffer> {
    for (const { file, start, end } of slices) {
      const path = join(this.#folder, file);
      try {
        yield* createReadStream(path, { start, end });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        throw new Error(`${path} is missing: restore it from the backup of engines.sqlite.`, {
          cause: error,
        });
      }
    }
  }

  #hold(file: string): void {
    this.#readers.set(file, (this.#readers.get(file) ?? 0) + 1);
  }

  #release(file: string): void {
    const left = (this.#readers.get(file) ?? 0) - 1;
    if (left > 0) {
      this.#readers.set(file, left);
      return;
    }
    this.#readers.delete(file);
    if (this.#unwanted.delete(file)) this.discard(file);
  }
}

function slicesOf(segments: readonly Segment[], first: number, last: number): Slice[] {
  let offset = 0;
  return segments.flatMap(({ file, size }) => {
    const start = Math.max(first - offset, 0);
    const end = Math.min(last - offset, size - 1);
    offset += size;
    return start <= end ? [{ file, start, end }] : [];
  });
}
