import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** A position in a stream: after a record of a shard. */
export interface Position {
  readonly shard: string;
  readonly sequenceNumber: string;
}

/** The read positions of streams, in a file that each change replaces as a whole. */
export class StreamPositions {
  readonly #path: string;
  readonly #positions: Map<string, Position>;

  constructor(path: string) {
    this.#path = path;
    this.#positions = new Map(Object.entries(read(path)));
  }

  of(stream: string): Position | undefined {
    return this.#positions.get(stream);
  }

  move(stream: string, position: Position): void {
    this.#positions.set(stream, position);
    const next = `${this.#path}.next`;
    writeFileSync(next, JSON.stringify(Object.fromEntries(this.#positions)));
    renameSync(next, this.#path);
  }
}

function read(path: string): Record<string, Position> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
