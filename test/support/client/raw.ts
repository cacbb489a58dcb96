import { connect } from 'node:net';

/** A response as it arrived on the connection. */
export interface RawAnswer {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends these exact bytes. Reads until the server closes, the response is complete or `giveUpMs` passes. */
export function sendRaw(url: string, bytes: string | Buffer, giveUpMs = 10_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((answered) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      const at = text.indexOf('\r\n\r\n');
      const head = at < 0 ? text : text.slice(0, at);
      const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
      answered({ status: Number(status), head, body: at < 0 ? '' : text.slice(at + 4) });
    };
    const timer = setTimeout(done, giveUpMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (complete(Buffer.concat(chunks).toString('latin1'))) done();
    });
    socket.on('error', done);
    socket.on('close', done);
  });
}

function complete(text: string): boolean {
  const at = text.indexOf('\r\n\r\n');
  if (at < 0) return false;
  const [, length] = /^content-length: *(\d+)/im.exec(text.slice(0, at)) ?? [];
  return length !== undefined && text.length - at - 4 >= Number(length);
}
