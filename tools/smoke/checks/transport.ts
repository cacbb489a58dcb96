import { connect, type SecureVersion } from 'node:tls';
import { type Check, check } from '../check.ts';
import { Skipped } from '../expect.ts';
import type { Smoke } from '../smoke.ts';

const TIMEOUT_MS = 10_000;

/** Tries a connection with one version of TLS. Returns the version, or the reason of the failure. */
function handshake(url: URL, version: SecureVersion): Promise<string> {
  return new Promise((done) => {
    const socket = connect({
      host: url.hostname,
      port: Number(url.port || 443),
      servername: url.hostname,
      minVersion: version,
      maxVersion: version,
      // Otherwise this client itself would refuse the old versions.
      ciphers: 'DEFAULT@SECLEVEL=0',
      timeout: TIMEOUT_MS,
    });
    const end = (how: string) => {
      socket.destroy();
      done(how);
    };
    socket.on('secureConnect', () => end(socket.getProtocol() ?? 'none'));
    socket.on('timeout', () => end('no answer'));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

function secured({ url }: Smoke): URL {
  const parsed = new URL(url);
  if (parsed.protocol === 'https:') return parsed;
  throw new Skipped('The address is not an https address');
}

/** Source: RFC 8996 (TLS 1.0 and 1.1 must not be used). */
export const TRANSPORT: readonly Check[] = [
  ...(['TLSv1.2', 'TLSv1.3'] as const).map((version) =>
    check('S12', `The server accepts ${version}`, async (smoke) => {
      const how = await handshake(secured(smoke), version);
      if (how !== version) throw new Error(how);
      return how;
    }),
  ),
  check('S12', 'The server refuses TLSv1.1', async (smoke) => {
    const how = await handshake(secured(smoke), 'TLSv1.1');
    if (how === 'TLSv1.1' || how === 'no answer') throw new Error(how);
    return how;
  }),
];
