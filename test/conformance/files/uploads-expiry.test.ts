import { expect, test } from '@jest/globals';
import { listed } from '../../support/client/files.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { announce, endedUpload, linksIn, toStorage } from '../../support/client/uploads.ts';
import { eventually } from '../../support/eventually.ts';
import { get, underTestAlone, unique } from '../../support/service/under-test.ts';
import { describeUnless } from '../../support/skips/describe-unless.ts';

// The test starts its own service, whose links are valid for a moment only.
process.env.UPLOAD_SECONDS = '4';
process.env.LEASE_SECONDS = '1';
underTestAlone();

const shared = process.env.BASE_URL ? 'the service at BASE_URL has other settings' : undefined;

describeUnless(shared, 'links that expire', () => {
  test('an upload operation fails and loses its parts when its links expire', async () => {
    const [there, late, parts] = [unique('there'), unique('late'), unique('parts')];
    const answer = await announce([
      { filename: there, size: 1 },
      { filename: late, size: 1 },
      { filename: parts, size: 70 * 1024 ** 2 },
    ]);
    const [first, second, third] = linksIn(answer);
    expect((await toStorage(first as never, 'x')).status).toBe(200);
    const { operation } = await endedUpload(answer.headers.location);
    expect(operation).toMatchObject({
      status: 'Failed',
      progress: { done: 1, total: 3, failed: 0 },
      error: { type: '/problems/timeout', detail: expect.stringContaining('1 of 3') },
    });
    expect(await listed(there)).toMatchObject({ size: 1 });
    // On a busy machine, the service signs the links later than it begins the operation.
    await eventually(async () =>
      expect(await toStorage(third?.sent as never)).toMatchObject({ status: 403 }),
    );
    expect(await toStorage(second as never, 'x')).toMatchObject({ status: 403, code: 'AccessDenied' });
    expectProblem(await get(`/files/${late}`), 404);
  });
});
