import { expect, test } from '@jest/globals';
import { formatLinkTemplate } from '../../../shared/http/fields/link.ts';
import { Unavailable } from '../../../shared/http/problem.ts';
import { createdLocation } from '../../../shared/http/response.ts';
import { formatSha256 } from '../../../shared/resource/binary.ts';

test.each([
  [201, { Location: '/v1/books/7' }, '/books/7'],
  [207, { Location: '/v1/books/7' }, '/books/7'],
  [200, { Location: '/v1/books/7' }, undefined],
  [201, {}, undefined],
])('RFC 9110 §15.3.2: a response %i with %j created %s', (status, headers, path) => {
  expect(createdLocation({ status, headers }, '/v1')).toBe(path);
});

test('RFC 9652 §2: a Link-Template is a string with a relation', () => {
  const link = { template: '/books{?title}', rel: 'search' };
  expect(formatLinkTemplate(link)).toBe('"/books{?title}"; rel="search"');
});

test('RFC 9530 §2: a digest field has the algorithm and a byte sequence', () => {
  expect(formatSha256('AAAA')).toBe('sha-256=:AAAA:');
});

test('a failure of an engine has its cause, and the seconds to wait', () => {
  const cause = new Error('socket');
  const error = new Unavailable(cause);
  expect(error).toMatchObject({ name: 'Unavailable', cause, retryAfter: 1 });
  expect(error.message).toBe('An engine of this service does not respond');
  expect(new Unavailable(cause, 5).retryAfter).toBe(5);
});
