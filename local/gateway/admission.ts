import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback, isLoopbackOrigin } from '../../shared/http/loopback.ts';
import type { ProblemName } from '../../shared/http/problem.ts';

/** The origins and hosts that the local gateway serves. */
export interface Admission {
  /** `*`, one origin, or LOOPBACK: the pages that may use the service. */
  readonly allowedOrigin: string;
  /** The address that the gateway listens on. */
  readonly host: string;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * The refusal of a request that a foreign web page made a browser on this machine send: under a name that leads here (DNS
 * rebinding), or with an unsafe method. Programs send no Origin.
 *
 * Source: Specification 11.7; RFC 9110 §9.2.1 (safe methods).
 */
export function admissionFault(
  { method = '', headers: { host, origin } }: Pick<IncomingMessage, 'method' | 'headers'>,
  admission: Admission,
): [ProblemName, string] | undefined {
  if (host !== undefined && !isOwnHost(host, admission.host))
    return ['malformed-body', 'The Host names another machine: use localhost or 127.0.0.1'];
  if (origin === undefined || SAFE.has(method) || isLoopbackOrigin(origin)) return undefined;
  return ['*', origin].includes(admission.allowedOrigin)
    ? undefined
    : ['forbidden', 'Pages of this origin may not change anything here'];
}

/** A name that leads here by the operator's choice. Only names can be rebound: addresses suit a wildcard address. */
function isOwnHost(authority: string, listening: string): boolean {
  if (isLoopback(authority)) return true;
  const host = authority
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '');
  return host === listening.toLowerCase() || (['0.0.0.0', '::'].includes(listening) && isIP(host) !== 0);
}
