import { expect, test } from '@jest/globals';
import { isLoopback, isLoopbackOrigin } from '../../../shared/http/origin.ts';

test.each([
  'localhost',
  'LOCALHOST:3000',
  'engines.localhost:4392',
  '127.0.0.1',
  '127.0.0.1:3000',
  '127.8.9.10',
  '[::1]',
  '[::1]:3000',
])('%s is a loopback authority', (authority) => expect(isLoopback(authority)).toBe(true));

test.each([
  '',
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evillocalhost',
  '10.0.0.1',
  '0.0.0.0',
  '[::]',
  '[::ffff:10.0.0.1]',
  'localhost@evil.example',
])('%j is not a loopback authority', (authority) => expect(isLoopback(authority)).toBe(false));

test.each([
  ['http://localhost:4777', true],
  ['https://127.0.0.1', true],
  ['http://[::1]:1', true],
  ['https://evil.example', false],
  ['http://localhost.evil.example', false],
  ['file://localhost', false],
  ['null', false],
  ['', false],
  ['<script>', false],
])('the origin %j is a loopback origin: %s', (origin, expected) =>
  expect(isLoopbackOrigin(origin)).toBe(expected),
);
