import type { Server } from 'node:http';

/**
 * From this size in bytes, Node stores the text of a body outside V8's heap. Source: Node.js, "src/string_bytes.cc",
 * EXTERN_APEX.
 */
const LARGE = 1_000_000;

/**
 * Collects the garbage after each large body. The event or the response of a function has a body of 4 MiB as 5.6 MB of
 * base64. V8 ignores the size of such texts until they exceed 32 MB. A collection takes about 20 ms. It needs the
 * option --expose-gc.
 */
export function collectAfterLargeBodies(server: Server): void {
  let isDue = false;
  server.on('request', ({ socket }, outgoing) => {
    const transferred = () => socket.bytesRead + socket.bytesWritten;
    const before = transferred();
    outgoing.once('close', () => {
      if (isDue || transferred() - before < LARGE) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        globalThis.gc?.();
      });
    });
  });
}
