import { expect, test } from '@jest/globals';
import { signatureOf } from '../../../functions/webhooks/post.ts';
import { attemptAt } from '../../../functions/webhooks/schedule.ts';
import { config } from '../../../shared/aws/config.ts';

const SECONDS = 1000;
const HOURS = 3600 * SECONDS;

// Specification 18.8
test('attempts follow after 5 s, 1 min, 5 min, 30 min, 2 h, 6 h and then each 12 h, for three days', () => {
  const schedule = { pauses: config.webhookPauses(), most: config.webhookTime() };
  const pauses: (number | undefined)[] = [];
  for (let since = 0, at = 1; ; at += 1) {
    const { attempt, pause } = attemptAt(since, schedule);
    expect(attempt).toBe(at);
    pauses.push(pause && Math.round(pause / SECONDS));
    if (pause === undefined) break;
    // Each attempt itself takes up to ten seconds, and SQS hides a message for less than 12 h.
    since += pause + 10 * SECONDS;
  }
  const day = (12 * HOURS) / SECONDS - 100;
  expect(pauses).toEqual([5, 60, 300, 1800, 7200, 21_600, day, day, day, day, day, undefined]);
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
