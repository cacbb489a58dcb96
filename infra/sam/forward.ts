import { connect, createServer } from 'node:net';

/**
 * Passes TCP connections on from an address that containers reach to the engines, which listen on this machine's
 * loopback alone.
 *
 * @returns what ends it
 */
export function forward(from: { host: string; port: number }, to: { host: string; port: number }) {
  const server = createServer((incoming) => {
    const outgoing = connect(to);
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  return new Promise<() => void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(from.port, from.host, () => resolve(() => server.close()));
  });
}
