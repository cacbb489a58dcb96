import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The addresses that IANA has allotted for global unicast. Source: IANA IPv6 Address Space registry. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for an address of the public Internet. An IPv6 form of an IPv4 address counts as that address, or is not public.
 *
 * Source: IANA IPv4 and IPv6 Special-Purpose Address Registries.
 */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST));
}

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';

/** Returns the host of a URL, which is an address without brackets if it is one. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** True if a URL can name this machine. The check of the socket decides. */
const namesLoopback = (url: URL): boolean => hostOf(url) === 'localhost' || isLoopback(hostOf(url));

/**
 * Why the service sends no events to a URL; undefined if it does. `loopback`: it also sends them to this machine.
 *
 * Source: Specification 18.6.
 */
export function urlFault(text: string, loopback: boolean): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL';
  const url = new URL(text);
  const isLocal = loopback && namesLoopback(url);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must have no user and no password';
  if (text.includes('#')) return 'must have no fragment';
  const host = hostOf(url);
  return isIP(host) !== 0 && !isLocal && !isPublic(host) ? 'must lead to a public address' : undefined;
}

/**
 * Finds the addresses of a host for a socket, and fails if one of them is not allowed. The socket connects to no other
 * address, so a later answer of DNS changes nothing. Node looks up no host that is an address: `urlFault` judges it.
 */
export const lookupFor =
  (url: URL, loopback: boolean): LookupFunction =>
  (host, options, found) =>
    lookup(host, { ...options, all: true }, (error, addresses = []) => {
      const isAllowed = (address: string) =>
        (loopback && isLoopback(address)) || (url.protocol === 'https:' && isPublic(address));
      const [first] = addresses;
      if (error || !first) found(error ?? new Error('The host has no address'), '');
      else if (!addresses.every(({ address }) => isAllowed(address)))
        found(new Error('The host leads to an address that is not public'), '');
      else if (options.all) found(null, addresses);
      else found(null, first.address, first.family);
    });
