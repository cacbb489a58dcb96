import type { IncomingMessage } from 'node:http';
import type { ProblemName } from '../../shared/http/problem.ts';

/**
 * Returns the problem with the framing of a request, before its body is read. Source: RFC 9112 §2.3 (version), §3.2
 * (exactly one Host), §6.1 (a transfer coding that is not understood).
 */
export function framingFault({
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): [ProblemName, string] | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return ['malformed-body', 'Only HTTP/1.1 and HTTP/1.0 are understood'];
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
  if (hosts > 1) return ['malformed-body', 'There is more than one Host'];
  if (hosts === 0 && httpVersion === '1.1') return ['malformed-body', 'There is no Host'];
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.trim().toLowerCase() === 'chunked'
    ? undefined
    : ['not-implemented', 'No transfer coding but chunked is understood'];
}

/** Returns the whole body; undefined as soon as it exceeds `maximum` bytes. */
export function bodyOf(incoming: IncomingMessage, maximum: number): Promise<Buffer | undefined> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () => {
      incoming.removeAllListeners('data').pause();
      done(undefined);
    };
    incoming.on('error', failed);
    incoming.on('close', () => failed(new Error('The client closed the connection')));
    if (Number(incoming.headers['content-length'] ?? 0) > maximum) return tooLarge();
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maximum) return tooLarge();
      chunks.push(chunk);
    });
    incoming.on('end', () => done(Buffer.concat(chunks)));
  });
}
