import { expect, test } from '@jest/globals';
import { signatureOf } from '../../../functions/webhooks/post.ts';
import { lastAttempt, pauseAfter } from '../../../functions/webhooks/schedule.ts';
import { webhookConfig } from '../../../shared/aws/config.ts';

const SECONDS = 1000;
const HOURS = 3600 * SECONDS;

const schedule = { pauses: webhookConfig.pauses(), most: webhookConfig.time() };

// Specification 18.8
test('attempts follow after 5 s, 1 min, 5 min, 30 min, 2 h, 6 h and then each 12 h, for three days', () => {
  const { attempt, after } = lastAttempt(schedule);
  const pauses = Array.from({ length: attempt - 1 }, (_, at) => pauseAfter(at + 1, schedule) / SECONDS);
  const day = (12 * HOURS) / SECONDS;
  expect(pauses).toEqual([5, 60, 300, 1800, 7200, 21_600, day, day, day, day, day]);
  expect(after).toBe(pauses.reduce((sum, one) => sum + one * SECONDS, 0));
  expect(after).toBeLessThanOrEqual(72 * HOURS);
  expect(after + 12 * HOURS).toBeGreaterThan(72 * HOURS);
});

test('an event has at least five attempts', () => {
  expect(lastAttempt({ pauses: [60_000], most: 1000 })).toEqual({ attempt: 5, after: 240_000 });
});

// Specification 18.7; Standard Webhooks, "Signature scheme", example
test('the signature is that of the example of Standard Webhooks', () => {
  const content = '{"test": 2432232314}';
  const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
  expect(signatureOf('msg_p5jXN8AQM9LWM0D4loKWxJek', content, { secrets, now: 1_614_265_330_000 })).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});
