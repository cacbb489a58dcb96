import { spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';

/**
 * Lets containers reach the engines, which listen on the loopback address of this machine. On Linux, a container
 * reaches the bridge but not the loopback, so this forwards connections from the bridge. Docker Desktop does the same
 * itself.
 *
 * @returns a function that ends the forwarding
 */
export async function reachEngines(port: number): Promise<() => void> {
  if (process.platform !== 'linux') return () => {};
  const format = '{{with index .IPAM.Config 0}}{{or .Gateway .Subnet}}{{end}}';
  const { stdout } = spawnSync('docker', ['network', 'inspect', 'bridge', '--format', format], {
    encoding: 'utf8',
  });
  // Some Docker engines report only the network, whose first address is the bridge.
  const host = stdout.trim().replace(/0\/[0-9]+$/, '1');
  return forward({ host, port }, { host: '127.0.0.1', port });
}

/**
 * Forwards TCP connections, unless another process does so already, such as a second `sam start`.
 */
function forward(from: { host: string; port: number }, to: { host: string; port: number }) {
  const server = createServer((incoming) => {
    const outgoing = connect(to);
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  return new Promise<() => void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(() => {});
      else reject(error);
    });
    server.listen(from.port, from.host, () => resolve(() => server.close()));
  });
}
