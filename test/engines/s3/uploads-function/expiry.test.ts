import { describe, expect, test } from '@jest/globals';
import { unique } from '../../../../engines/test/clients.ts';
import { renewed } from '../../../../functions/operations/renew.ts';
import { waitingFor } from '../../../../shared/operations/running/part-tracker.ts';
import { withTimePassed } from '../../../support/clock.ts';
import { arrive, isStaged, lookAfter, progressOf, statusOf, upload } from './announced.ts';
import { isCopy, keepResponses, loseResponses, withEngines } from './lost-responses.ts';
import { objects, shown, textOf } from './notifications.ts';

withEngines();

describe("the end of an operation's time", () => {
  // Specification 5.15
  test('ends the renewal of links at once, also before a worker ends the operation', async () => {
    const { id } = await upload({ name: unique('late') });
    const { until } = JSON.parse((await waitingFor(id))?.input ?? '{}');
    expect(await renewed(id, until - 1)).toMatchObject({ more: { uploads: [expect.anything()] } });
    expect(await renewed(id, until)).toBeUndefined();
  });

  const over = (id: number): Promise<void> => withTimePassed(86_400_000, () => lookAfter(id));

  test('publishes an upload that arrived although every message about it failed', async () => {
    const name = unique('unnoticed');
    const { id } = await upload({ name });
    await arrive(id, 0);
    await over(id);
    expect([await statusOf(id), await textOf(name), await isStaged(id, 0)]).toEqual([
      'Succeeded',
      'x',
      false,
    ]);
    expect(await shown(name)).toBe((await objects.head(name))?.etag.opaque);
  });

  test('publishes the uploads that arrived and fails because of the others', async () => {
    const [unnoticed, missing, wrong] = [unique('unnoticed'), unique('missing'), unique('wrong')];
    const { id } = await upload({ name: unnoticed }, { name: missing }, { name: wrong, size: 2 });
    await arrive(id, 0);
    await arrive(id, 2);
    await over(id);
    expect([await statusOf(id), await progressOf(id)]).toEqual(['Failed', { done: 1, total: 3, failed: 1 }]);
    expect([await textOf(unnoticed), await textOf(missing), await textOf(wrong)]).toEqual([
      'x',
      undefined,
      undefined,
    ]);
  });

  test('keeps the operation if S3 fails, for another attempt', async () => {
    const name = unique('again');
    const { id } = await upload({ name });
    await arrive(id, 0);
    loseResponses(isCopy);
    await expect(over(id)).rejects.toThrow();
    keepResponses();
    expect([await statusOf(id), await isStaged(id, 0)]).toEqual(['Running', true]);
    await over(id);
    expect([await statusOf(id), await textOf(name)]).toEqual(['Succeeded', 'x']);
  });
});
