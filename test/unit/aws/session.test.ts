import { afterEach, expect, test } from '@jest/globals';
import { sessionEnd } from '../../../shared/files/uploads/announce/signed.ts';

const HOUR = 3_600_000;
const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

test('the session of a role ends within twelve hours of the start of the process', () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c' });
  const after = (sessionEnd() ?? 0) - performance.timeOrigin;
  expect(after).toBeGreaterThan(11 * HOUR);
  expect(after).toBeLessThan(12 * HOUR);
});

test('a key pair without a session does not expire', () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  delete process.env.AWS_SESSION_TOKEN;
  expect(sessionEnd()).toBeUndefined();
});
