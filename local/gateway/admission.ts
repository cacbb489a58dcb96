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
  /** Further names of hosts, in lower case and without port. */
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
  // A target in absolute form overrides Host. Source: RFC 9112 §3.2.2.
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url)?.[1] ?? field;
  if (host !== undefined && !/^[^\s/?#@]+$/.test(host))
    return ['malformed-body', 'The Host is not the name of a host. Send one'];
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
