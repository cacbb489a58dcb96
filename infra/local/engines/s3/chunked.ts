import { Fault } from '../fault.ts';

// A chunk header is a hexadecimal length and perhaps a signature; a trailer is a short header.
const MAX_LINE = 8192;

/**
 * Takes the aws-chunked framing off a body and puts its trailers, by lower-case name, into `trailers`.
 *
 * Source: S3 API Reference "Signature calculations for the Authorization header: transferring payload in
 * multiple chunks".
 */
export async function* unchunked(
  body: AsyncIterable<Uint8Array>,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const source = new LineReader(body);
  for (;;) {
    const [hex = ''] = (await source.line()).split(';');
    if (!/^[0-9a-fA-F]{1,12}$/.test(hex)) throw incomplete();
    const length = Number.parseInt(hex, 16);
    if (length === 0) break;
    yield* source.take(length);
    if ((await source.line()) !== '') throw incomplete();
  }
  for (let line = await source.line(); line !== ''; line = await source.line()) {
    const colon = line.indexOf(':');
    trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}

/** The answer to a body that ends too early or is not what its framing says. */
export function incomplete(): Fault {
  return new Fault(
    'IncompleteBody',
    'You did not provide the number of bytes specified by the Content-Length HTTP header',
  );
}

class LineReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#pieces = body[Symbol.asyncIterator]();
  }

  /** The next line without CRLF; the end of the body ends the last line. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\r\n');
      if (end >= 0) {
        const line = this.#rest.toString('latin1', 0, end);
        this.#rest = this.#rest.subarray(end + 2);
        return line;
      }
      if (this.#rest.length > MAX_LINE) throw incomplete();
      if (this.#ended && this.#rest.length === 0) return '';
      if (this.#ended || !(await this.#fill())) throw incomplete();
    }
  }

  async *take(length: number): AsyncGenerator<Uint8Array> {
    let left = length;
    while (left > 0) {
      if (this.#rest.length === 0 && !(await this.#fill())) throw incomplete();
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** False at the end of a body whose lines are complete. */
  async #fill(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done) this.#ended = true;
    else {
      const piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
    }
    return !done || this.#rest.length === 0;
  }
}
