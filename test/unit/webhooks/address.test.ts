import { describe, expect, test } from '@jest/globals';
import { isPublic, lookupFor, urlFault } from '../../../shared/events/webhooks/address.ts';

// Specification 18.6; IANA IPv4 and IPv6 Special-Purpose Address Registries
describe('an address that the service connects to', () => {
  test.each([
    '93.184.216.34',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
  ])('is public: %s', (address) => expect(isPublic(address)).toBe(true));

  test.each([
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared', '100.64.0.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local', '169.254.169.254'],
    ['protocol assignments', '192.0.0.170'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-mapped', '::ffff:10.0.0.1'],
    ['IPv4-mapped', '::ffff:a9fe:a9fe'],
    ['IPv4-mapped', '0:0:0:0:0:ffff:7f00:1'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-translated', '::ffff:0:7f00:1'],
    ['NAT64', '64:ff9b::a00:1'],
    ['NAT64', '64:ff9b:1::a00:1'],
    ['6to4', '2002:a00:1::'],
    ['Teredo', '2001:0:1::1'],
    ['unique local', 'fd00::1'],
    ['unique local', 'fc00::1'],
    ['AWS', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['discard', '100::1'],
    ['not allotted', '4000::1'],
    ['no address', '1.2.3'],
    ['no address', 'localhost'],
  ])('is not %s: %s', (_, address) => expect(isPublic(address)).toBe(false));
});

// Specification 18.6
describe('the service of a developer', () => {
  test.each(['http://127.0.0.1:3000/', 'http://localhost/', 'http://[::1]/', 'https://127.0.0.1/'])(
    'sends to this machine: %s',
    (url) => {
      expect(urlFault(url, true)).toBeUndefined();
      expect(urlFault(url, false)).toBe(
        url.startsWith('https') ? 'must lead to a public address' : 'must begin with https://',
      );
    },
  );

  test('sends to no other machine without TLS, and to no private one', () => {
    expect(urlFault('http://receiver.example/', true)).toBe('must begin with https://');
    expect(urlFault('https://192.168.1.1/', true)).toBe('must lead to a public address');
    expect(urlFault('https://receiver.example/', true)).toBeUndefined();
  });
});

test.each([{ all: true }, { all: false }])(
  'a socket gets an address only if each one is allowed: %j',
  async (options) => {
    const lookUp = (url: string, loopback: boolean) =>
      new Promise((found) =>
        lookupFor(new URL(url), loopback)('localhost', options, (error, address) =>
          found(error?.message ?? address),
        ),
      );
    expect(await lookUp('https://localhost/', false)).toBe('The host leads to an address that is not public');
    expect(JSON.stringify(await lookUp('http://localhost/', true))).toMatch(/127\.0\.0\.1|::1/);
  },
);
