import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Fault, notImplemented } from '../fault.ts';
import type { EngineRequest } from '../wire.ts';

/** Computes digests of a body while it streams. */
export class Digests {
  readonly #md5 = createHash('md5');
  readonly #sha256 = createHash('sha256');
  #crc32 = 0;

  async *of(content: EngineRequest['body']): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      this.#md5.update(piece);
      this.#sha256.update(piece);
      this.#crc32 = crc32(piece, this.#crc32);
      yield piece;
    }
  }

  /**
   * Compares each digest that the client sent. Call it once, at the end of the body. @returns the ETag, and the
   * checksums to store as response headers
   * @throws BadDigest (400)
   */
  verify(headers: Record<string, string>): { etag: string; checksums: Record<string, string> } {
    const md5 = this.#md5.digest();
    const sha256 = this.#sha256.digest();
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(this.#crc32);
    const computed: Record<string, string> = {
      'x-amz-content-sha256': sha256.toString('hex'),
      'content-md5': md5.toString('base64'),
      'x-amz-checksum-crc32': crc.toString('base64'),
      'x-amz-checksum-sha256': sha256.toString('base64'),
    };
    const checksums: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      const isChecksum = /^x-amz-checksum-(?!algorithm$|type$)/.test(name);
      if (isChecksum && computed[name] === undefined) throw notImplemented(`S3 ${name}`);
      if (value !== (computed[name] ?? value) && value !== 'UNSIGNED-PAYLOAD') {
        throw new Fault('BadDigest', `The ${name} you specified did not match what we received.`);
      }
      if (isChecksum) Object.assign(checksums, { [name]: value, 'x-amz-checksum-type': 'FULL_OBJECT' });
    }
    return { etag: `"${md5.toString('hex')}"`, checksums };
  }
}
