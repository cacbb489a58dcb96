import { expect, test } from '@jest/globals';
import { allowOrigin, isAllowedOrigin, namedOrigin } from '../../../shared/http/origin.ts';

const LOCAL = 'http://localhost:8080';
const OTHER = 'https://other.example';

test.each([
  ['*', OTHER, '*', true],
  ['*', undefined, '*', true],
  [OTHER, OTHER, OTHER, true],
  [OTHER, LOCAL, OTHER, false],
  [OTHER, undefined, OTHER, false],
  ['loopback', LOCAL, LOCAL, true],
  ['loopback', OTHER, undefined, false],
  ['loopback', undefined, undefined, false],
])('with %s configured, the origin %s gets %s', (configured, origin, allowed, isAllowed) => {
  expect(allowOrigin(configured, origin)).toBe(allowed);
  expect(isAllowedOrigin(configured, origin)).toBe(isAllowed);
});

test.each([
  [undefined, 'an unknown origin'],
  ['null', 'an unknown origin'],
  [OTHER, OTHER],
  ['x'.repeat(201), 'x'.repeat(200)],
])('the origin %s has the name %s', (origin, name) => expect(namedOrigin(origin)).toBe(name));
