import { type Check, check } from '../check.ts';
import { expectHeader, expectProblem, expectSame, expectStatus } from '../expect.ts';

/** Source: RFC 9110 §13, §15.4.5, §15.5.13. */
export const CONDITIONS: readonly Check[] = [
  check('S10', 'If-None-Match with the present entity tag: 304 without content', async (smoke) => {
    const { path } = await smoke.member();
    const etag = expectHeader(expectStatus(await smoke.send('GET', path), 200), 'etag', /^"/);
    const answer = await smoke.send('GET', path, { headers: { 'If-None-Match': etag } });
    expectSame(expectStatus(answer, 304).bytes.length, 0, 'bytes');
    return `ETag: ${expectHeader(answer, 'etag', etag)}`;
  }),
  check('S10', 'If-Match with another entity tag: 412, with the present one: 200', async (smoke) => {
    const path = await smoke.create(smoke.name('conditional'));
    const etag = expectHeader(expectStatus(await smoke.send('GET', path), 200), 'etag', /^"/);
    const json = { name: smoke.name('changed') };
    const other = await smoke.send('PUT', path, { json, headers: { 'If-Match': '"0.0-json"' } });
    expectProblem(other, 412);
    expectStatus(await smoke.send('PUT', path, { json, headers: { 'If-Match': etag } }), 200);
    return etag;
  }),
];
