import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback, isLoopbackOrigin, namedOrigin } from '../../shared/http/origin.ts';
import type { ProblemName } from '../../shared/http/problem.ts';

/** The origins and hosts that the local gateway serves. */
export interface Admission {
  /** `*`, one origin, or LOOPBACK: the pages that may use the service. */
  readonly allowedOrigin: string;
  /** The address that the gateway listens on. */
  readonly host: string;
  /** More names of hosts, in lower case and without port. */
  readonly allowedHosts: readonly string[];
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * Returns the problem of a request that a foreign web page caused a browser on this machine to send. Such a request
 * has a foreign host name (DNS rebinding), or a foreign Origin and an unsafe method. Programs send no Origin.
 *
 * Source: Specification 11.7; RFC 9110 §9.2.1 (safe methods).
 */
export function admissionFault(
  { method = '', url = '', headers: { host: field, origin } }: Incoming,
  admission: Admission,
): [ProblemName, string] | undefined {
  // A target in absolute form overrides Host, and has the scheme of this connection. Source: RFC 9112 §3.2.2; RFC
  // 9110 §7.4.
  const [, scheme, named] = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url) ?? [];
  if (scheme !== undefined && scheme.toLowerCase() !== 'http')
    return ['misdirected-request', `The connection is for http, and the URI is for ${scheme}. Send http`];
  const host = named ?? field;
  if (host !== undefined && !/^[^\s/?#@]+$/.test(host))
    return ['malformed-request', 'The Host is not the name of a host. Send one'];
  if (host !== undefined && !isOwnHost(host, admission)) {
    return [
      'misdirected-request',
      'The Host names another machine. Use localhost or 127.0.0.1, or set ALLOWED_HOSTS at the start',
    ];
  }
  if (origin === undefined || SAFE.has(method) || isLoopbackOrigin(origin)) return undefined;
  return ['*', origin].includes(admission.allowedOrigin)
    ? undefined
    : [
        'forbidden',
        `Pages of ${namedOrigin(origin)} may not change anything here. Set ALLOWED_ORIGIN at the start to allow the origin`,
      ];
}

/**
 * True if the operator chose this host name (RFC 9110 §7.4). Only names can be rebound, so a wildcard address admits every IP
 * address.
 */
function isOwnHost(authority: string, { host: listening, allowedHosts }: Admission): boolean {
  if (isLoopback(authority)) return true;
  const host = authority
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '');
  if (host === listening.toLowerCase() || allowedHosts.includes(host)) return true;
  return ['0.0.0.0', '::'].includes(listening) && isIP(host) !== 0;
}

/**
 * Returns the problem with the framing of a request, before its body is read. Source: RFC 9112 §2.3 (version), §3.2
 * (exactly one Host), §3.2.4 (the target `*`), §6.1 (a transfer coding that is not understood, or with HTTP/1.0).
 */
export function framingFault({
  rawHeaders,
  headers,
  httpVersion,
  method,
  url,
}: IncomingMessage): [ProblemName, string] | undefined {
  if (url === '*' && method !== 'OPTIONS') return ['malformed-request', 'Only OPTIONS may have the target *'];
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return ['malformed-request', 'Only HTTP/1.1 and HTTP/1.0 are understood'];
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
  if (hosts > 1) return ['malformed-request', 'There is more than one Host'];
  if (hosts === 0 && httpVersion === '1.1') return ['malformed-request', 'There is no Host'];
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersion === '1.0')
    return ['malformed-request', 'HTTP/1.0 has no Transfer-Encoding: send Content-Length'];
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
