import { describe, expect, test } from '@jest/globals';
import { METHODS, SAFE_METHODS } from '../../../shared/http/request.ts';

describe('RFC 9110 §9.2.1: GET, HEAD, OPTIONS and TRACE are safe', () => {
  test.each(['GET', 'HEAD', 'OPTIONS', 'TRACE'])('%s is safe', (method) =>
    expect(SAFE_METHODS.has(method)).toBe(true),
  );
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'BREW', 'get', ''])('%s is not safe', (method) =>
    expect(SAFE_METHODS.has(method)).toBe(false),
  );
});

describe('RFC 9110 §9.1: the method token is case-sensitive', () => {
  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])(
    '%s is known',
    (m) => expect(METHODS.has(m)).toBe(true),
  );
  test.each(['get', 'BREW', '', 'constructor', '__proto__'])('%s is not known', (m) =>
    expect(METHODS.has(m)).toBe(false),
  );
});
