import { expect, test } from '@jest/globals';
import { PURE } from '../../../../shared/flow/answer.ts';
import type { Understood } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { replay } from '../../../../shared/flow/steps/stateful/replay.ts';
import { done, type Outcome } from '../../../../shared/resource/actions/outcome.ts';
import { ask, books, outcomeOf, RUN, understood } from './books.ts';

const JSON_KEY = { 'content-type': 'application/json', 'idempotency-key': '"k"' };
const EMMA = '{"title":"Emma"}';
const keyed = async (body: string) => (await understood('POST /books', JSON_KEY, { body })).keyed;

test('a repeated request has the same key and fingerprint, and another payload has another fingerprint', async () => {
  const [first, again, other] = [await keyed(EMMA), await keyed(EMMA), await keyed('{"title":"Persuasion"}')];
  expect(again).toEqual(first);
  expect(other?.id).toBe(first?.id);
  expect(other?.fingerprint).not.toBe(first?.fingerprint);
  expect(first?.expiresAt).toBe(5000 + 24 * 60 * 60 * 1000);
});

test('PUT has no key', async () => {
  expect((await understood('PUT /books/7', JSON_KEY, { body: EMMA })).keyed).toBeUndefined();
});

test('an operation has a key of its own, for every method', async () => {
  expect((await understood('DELETE /books/7', {}, { asOperation: RUN })).keyed).toBe(RUN.keyed);
});

test('a malformed key ends with 400', async () => {
  const start = ask('POST /books', { ...JSON_KEY, 'idempotency-key': '' }, { body: EMMA });
  expect(await outcomeOf(PURE, start)).toMatchObject({ status: 400 });
});

const replayed = flow<Understood>().next(replay);
const answer = { status: 201, headers: { Location: '/books/8' }, body: 'recorded' };

/** Repeats a request of which `recorded` is known. */
async function repeat(recorded: (fingerprint: string) => Outcome, isOperation = false) {
  const known = await keyed(EMMA);
  const resource = books(
    {},
    { idempotency: { replay: async () => recorded(known?.fingerprint ?? ''), record: async () => done } },
  );
  const asOperation = isOperation && known ? { ...RUN, keyed: known } : undefined;
  return outcomeOf(
    replayed,
    await understood('POST /books', JSON_KEY, { body: EMMA, resource, asOperation }),
  );
}

test('a first request passes', async () => {
  expect(await repeat(() => done)).toMatchObject({ resumed: false });
});

test('a repeat gets the recorded answer', async () => {
  const ending = await repeat((fingerprint) => ({ kind: 'answered', fingerprint, answer }));
  expect(ending).toMatchObject({
    status: 201,
    headers: { Location: '/books/8', 'Idempotency-Replayed': 'true' },
  });
});

test('a key of another request ends with 422', async () => {
  const ending = await repeat(() => ({ kind: 'answered', fingerprint: 'other', answer }));
  expect(ending).toMatchObject({ status: 422 });
});

test('a repeat of a running request ends with 409', async () => {
  const ending = await repeat((fingerprint) => ({ kind: 'answered', fingerprint }));
  expect(ending).toMatchObject({ status: 409, headers: { 'Retry-After': '1' } });
});

test('the next run of an operation resumes the effect that has no record', async () => {
  expect(await repeat((fingerprint) => ({ kind: 'answered', fingerprint }), true)).toMatchObject({
    resumed: true,
  });
});
